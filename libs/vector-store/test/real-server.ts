import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A vector database started by a test, on loopback. */
export interface RealServer {
  url: string;
  /** Ends it without warning; its data is kept. */
  kill(): Promise<void>;
  /** Starts it again at the same address with the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Chroma's server as a library; `npm test` downloads it to this folder (tools/chroma.ts). */
const chroma = join(
  import.meta.dirname,
  "../../../.tools/chroma/node_modules/chromadb-js-bindings-linux-x64-gnu",
);
export const hasChroma = (): boolean => existsSync(join(chroma, "package.json"));

/**
 * Chroma's own server, from the npm package that bundles it as a library (server version 1.0.0;
 * later ones need a newer C library than Debian 12 has). null if that library does not load.
 */
export async function startChroma(): Promise<RealServer | null> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-chroma-"));
  // Another process may take the port between the check and the listen, so try again.
  for (let attempt = 1; attempt <= 3; attempt++) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const run = () => runChroma(join(folder, "data"), port);
    let child = run();
    if (await answers(child, `${url}/api/v2/heartbeat`))
      return {
        url,
        kill: () => end(child),
        restart: async () => {
          child = run();
          if (!(await answers(child, `${url}/api/v2/heartbeat`)))
            throw new Error("Chroma didn't start again");
        },
        stop: async () => {
          await end(child);
          await rm(folder, { recursive: true, force: true });
        },
      };
    await end(child);
  }
  await rm(folder, { recursive: true, force: true });
  return null;
}

const runChroma = (data: string, port: number): ChildProcess =>
  spawn(
    process.execPath,
    [
      "-e",
      `require(${JSON.stringify(chroma)}).cli(['chroma', 'run', '--path', ${JSON.stringify(data)}, '--host', '127.0.0.1', '--port', '${port}'])`,
    ],
    { cwd: import.meta.dirname, stdio: "ignore", env: { ...process.env, NODE_OPTIONS: "" } },
  );

/** Waits until the server answers or exits. */
async function answers(child: ChildProcess, url: string): Promise<boolean> {
  while (child.exitCode === null && child.signalCode === null) {
    const isThere = await fetch(url).then(
      (reply) => reply.ok,
      () => false,
    );
    if (isThere) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}
