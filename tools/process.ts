import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFileSync, renameSync, statSync } from "node:fs";
import { connect, createServer } from "node:net";

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Whether a process with this id is running (a zombie counts as ended). */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return process.platform !== "linux"; // no /proc on other systems: rely on the signal
  }
}

/** The command line of a process, arguments joined by spaces; empty if it cannot be read. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return "";
  }
}

/** The first number in a pid file, or null. */
export function readPid(file: string): number | null {
  try {
    const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
    return Number.isInteger(pid) && pid > 1 ? pid : null;
  } catch {
    return null;
  }
}

/** Sends a signal; ignores processes that have already ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Ends a process: `name` first, SIGKILL after the limit. Resolves when it has ended. */
export async function endProcess(
  pid: number,
  name: NodeJS.Signals = "SIGTERM",
  limitMs = 15_000,
): Promise<void> {
  const end = Date.now() + limitMs;
  signal(pid, name);
  while (isRunning(pid)) {
    if (Date.now() > end) signal(pid, "SIGKILL");
    await sleep(10);
  }
}

/**
 * Why nothing can listen on this address and port now (`EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, …),
 * or null if it is free.
 */
export function listenFault(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

/**
 * A free TCP port on the loopback address. Chosen below the range that systems use for outgoing
 * connections (Linux: from 32,768 on), so that none of those takes it before the caller listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    // fetch and browsers block some ports, the highest of which is 10,080.
    const port = randomInt(10_081, 32_768);
    if ((await listenFault(port, "127.0.0.1")) === null) return port;
  }
}

/** Whether something accepts connections on a loopback port. */
export function answersOn(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket
      .setTimeout(1000, () => done(false))
      .once("connect", () => done(true))
      .once("error", () => done(false));
  });
}

/** Rotates a server's log before the server starts if it is above 20 MB; keeps one old log. */
export function keepLogSmall(file: string, largestBytes = 20 * 1024 * 1024): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > largestBytes)
    renameSync(file, `${file}.1`);
}

export interface CommandResult {
  code: number;
  output: string;
}

/**
 * Runs a command to its end; `output` is both streams combined. Never rejects: a missing program is
 * code 127.
 */
export function runCommand(
  file: string,
  args: string[],
  options: {
    cwd?: string;
    env?: NodeJS.ProcessEnv;
    uid?: number;
    gid?: number;
    input?: string;
    timeoutMs?: number;
    onOutput?: (text: string) => void;
  } = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const { input, timeoutMs, onOutput, ...spawnOptions } = options;
    const child = spawn(file, args, {
      ...spawnOptions,
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      timeout: timeoutMs,
    });
    let output = "";
    const take = (data: Buffer) => {
      const text = data.toString();
      output += text;
      onOutput?.(text);
    };
    child.stdout?.on("data", take);
    child.stderr?.on("data", take);
    child.once("error", (error: NodeJS.ErrnoException) =>
      resolve({ code: error.code === "ENOENT" ? 127 : 126, output: output + error.message }),
    );
    child.once("close", (code) => resolve({ code: code ?? 143, output }));
    if (input !== undefined) child.stdin?.end(input);
  });
}
