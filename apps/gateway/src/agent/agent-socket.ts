import type { SocketFrame } from "./turn-frames.ts";

/** What is used of a socket of `ws`. */
export interface RawSocket {
  send(data: string, done: (error?: Error) => void): void;
  close(code: number): void;
  terminate(): void;
  ping(): void;
  on(event: "message", listener: (data: Buffer, isBinary: boolean) => void): void;
  on(event: "close", listener: (code: number) => void): void;
  on(event: "pong" | "error", listener: () => void): void;
}

/** How long the client has to confirm the end, in ms. */
const closingMs = 1_000;

/** A client's connection: frames out, with its speed. */
export class AgentSocket {
  /** Aborted when nothing more can be sent. */
  readonly signal: AbortSignal;
  private readonly over = new AbortController();

  constructor(private readonly raw: RawSocket) {
    this.signal = this.over.signal;
  }

  /** Resolves once the client's connection has taken the frame, or is gone. */
  async send(frame: SocketFrame): Promise<void> {
    if (this.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        this.signal.removeEventListener("abort", finish);
        resolve();
      };
      this.signal.addEventListener("abort", finish, { once: true });
      this.raw.send(JSON.stringify(frame), finish);
    });
  }

  /** Ends the connection from our side, after what has been sent. */
  close(code = 1_000): void {
    if (this.signal.aborted) return;
    this.over.abort();
    this.raw.close(code);
    setTimeout(() => this.raw.terminate(), closingMs).unref();
  }

  /** The connection is gone. Returns whether the client, or the network, ended it. */
  noteClosed(): boolean {
    const isForeign = !this.signal.aborted;
    this.over.abort();
    return isForeign;
  }
}
