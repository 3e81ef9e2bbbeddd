import { spawn, type ChildProcess } from "node:child_process";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { LogLines } from "./log-lines.ts";
import { loadSdk } from "./sdk.ts";
import { largestMessage, MessageTooLargeError } from "./server-fault.ts";

export interface StdioOptions {
  command: string;
  args: readonly string[];
  /** All that the program gets. */
  environment: Readonly<Record<string, string>>;
  /** Where it runs. */
  folder: string;
  log: LogLines;
}

/** How long a program may take to end after its input was closed, and again after SIGTERM. */
const graceMs = 2_000;

/** Groups of running programs, so that none outlives this process. */
const groups = new Set<number>();
let isWatching = false;
const killGroups = (): void => {
  for (const group of groups) signalGroup(group, "SIGKILL");
};

/** Returns whether there was a process in the group. */
function signalGroup(group: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a program that speaks MCP over its standard streams. Unlike the SDK's own, it gives the
 * program no environment but what is set, and ends it with everything that it started: it leads a
 * process group.
 */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  /** By this and `pid`, the SDK recognises a program: a silent one speaks an older protocol. */
  readonly stderr = null;
  private child: ChildProcess | null = null;
  /** The beginning of a message, in pieces: joining them with each one would take long. */
  private pieces: Buffer[] = [];
  private pending = 0;
  private deserialize: ((line: string) => JSONRPCMessage) | null = null;
  private isClosed = false;
  private serialize: ((message: JSONRPCMessage) => string) | null = null;

  constructor(private readonly options: StdioOptions) {}

  /** Whether the program has ended. */
  get hasEnded(): boolean {
    return this.isClosed;
  }

  get pid(): number | null {
    return this.child?.pid ?? null;
  }

  async start(): Promise<void> {
    const { deserializeMessage, serializeMessage } = await loadSdk();
    if (this.isClosed) throw new Error("closed");
    this.serialize = serializeMessage;
    this.deserialize = deserializeMessage;
    const { command, args, environment, folder, log } = this.options;
    const child = spawn(command, args, {
      env: { ...environment },
      cwd: folder,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    this.child = child;
    const { pid } = child;
    if (pid !== undefined) {
      groups.add(pid);
      if (!isWatching) process.on("exit", killGroups);
      isWatching = true;
    }
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (output: string) => log.write(output));
    child.stdout.on("data", (chunk: Buffer) => this.read(chunk));
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream.on("error", (error) => this.onerror?.(error));
    child.once("exit", (code, signal) => {
      log.add(
        signal === null
          ? `The server exited with code ${code}.`
          : `The server was ended by ${signal}.`,
      );
      // Its last message may still be in the pipe, which its own children may hold open.
      if (pid !== undefined) signalGroup(pid, "SIGKILL");
      const timer = setTimeout(() => this.finish(), 500);
      child.once("close", () => {
        clearTimeout(timer);
        this.finish();
      });
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => {
        this.finish();
        reject(error);
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const stdin = this.child?.stdin;
      if (this.isClosed || stdin?.writable !== true || this.serialize === null)
        return reject(Object.assign(new Error("Not connected"), { code: "NOT_CONNECTED" }));
      stdin.write(this.serialize(message), (error) =>
        error === null || error === undefined ? resolve() : reject(error),
      );
    });
  }

  async close(): Promise<void> {
    const { child } = this;
    if (child === null) this.isClosed = true;
    if (child === null || this.isClosed) return;
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    const within = async (milliseconds: number): Promise<boolean> => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<false>((resolve) => {
        timer = setTimeout(resolve, milliseconds, false);
      });
      try {
        return await Promise.race([ended.then(() => true as const), late]);
      } finally {
        clearTimeout(timer);
      }
    };
    child.stdin?.end();
    if (this.isClosed || (await within(graceMs))) return;
    signalGroup(child.pid!, "SIGTERM");
    if (await within(graceMs)) return;
    signalGroup(child.pid!, "SIGKILL");
    await within(graceMs);
    this.finish();
  }

  private read(chunk: Buffer): void {
    let rest = chunk;
    while (!this.isClosed) {
      const end = rest.indexOf(10);
      const piece = end === -1 ? rest : rest.subarray(0, end);
      this.pending += piece.length;
      if (this.pending > largestMessage) return this.fail(new MessageTooLargeError("too large"));
      this.pieces.push(piece);
      if (end === -1) return;
      const line = Buffer.concat(this.pieces).toString().trim();
      this.pieces = [];
      this.pending = 0;
      rest = rest.subarray(end + 1);
      if (line !== "") this.receive(line);
    }
  }

  private receive(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = this.deserialize!(line);
    } catch {
      // Programs print other things, too.
      return this.options.log.add(line);
    }
    this.onmessage?.(message);
  }

  private fail(error: Error): void {
    this.onerror?.(error);
    if (this.pid !== null) signalGroup(this.pid, "SIGKILL");
    this.finish();
  }

  /** Also ends what the program left running. */
  private finish(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    const { child } = this;
    if (child?.pid !== undefined) {
      signalGroup(child.pid, "SIGKILL");
      groups.delete(child.pid);
    }
    child?.stdin?.destroy();
    child?.stdout?.destroy();
    child?.stderr?.destroy();
    this.pieces = [];
    this.onclose?.();
  }
}
