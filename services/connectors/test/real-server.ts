import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { createWriteStream, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { createContentClient } from "@carrel/egress";
import { guardedFolder, waitFor } from "@carrel/testing";
import type { SourceContext } from "../src/connector/connector.ts";

/** A source's server that a test starts on loopback. */
export interface RealServer {
  address: string;
  context: SourceContext;
  stop(): Promise<void>;
}

/** Whether a program is installed and its output matches. */
export const hasProgram = (name: string, args: string[], expected: RegExp): boolean => {
  const { error, stdout } = spawnSync(name, args, { encoding: "utf8" });
  return error === undefined && expected.test(stdout);
};

/** Says on the terminal, too, why a group of tests doesn't run. */
export function explainSkip(name: string, isHere: boolean, advice: string): string {
  if (isHere) return name;
  const reason = `${name} (skipped: not installed; ${advice})`;
  process.stderr.write(`${reason}\n`);
  return reason;
}

/**
 * Starts a server in the foreground; `prepare` writes what it needs to a temporary folder, which is
 * deleted with it.
 */
export async function startServer(
  prepare: (
    folder: string,
    port: number,
  ) => { command: string; args: string[]; env?: Record<string, string> },
): Promise<RealServer> {
  const folder = guardedFolder("carrel-source-");
  const port = await freePort();
  const { command, args, env = {} } = prepare(folder, port);
  const log = createWriteStream(join(folder, "output.log"));
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const failed = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${command} ended with ${code}`)));
  });
  failed.catch(() => undefined);
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  if (child.pid !== undefined) writeFileSync(join(folder, "server.pid"), `${child.pid}\n`);
  await Promise.race([failed, waitFor(() => isListening(port), { what: command })]);
  return {
    address: `http://127.0.0.1:${port}`,
    context: {
      content: createContentClient({ allow: ["127.0.0.1"] }),
      signal: new AbortController().signal,
    },
    stop: async () => {
      await end(child);
      log.end();
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}
