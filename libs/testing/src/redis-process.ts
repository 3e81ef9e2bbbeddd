/** A Redis in a container or on this machine. */
export interface RedisProcess {
  /** `redis://:<password>@127.0.0.1:<port>`; stays the same across restarts. */
  readonly url: string;
  /** The server's process id, for SIGSTOP and the like; changes on restart. */
  readonly pid: number;
  /** Sends SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>;
  /**
   * Kills the server if it runs and starts it on the same port. Without keepData it starts empty;
   * with it, from the append-only file.
   */
  restart(options: { keepData: boolean }): Promise<void>;
  stop(): Promise<void>;
}
