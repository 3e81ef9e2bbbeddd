import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A vector database started by a test, on loopback. */
export interface RealServer {
  url: string;
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
    const child = spawn(
      process.execPath,
      [
        "-e",
        `require(${JSON.stringify(chroma)}).cli(['chroma', 'run', '--path', ${JSON.stringify(join(folder, "data"))}, '--host', '127.0.0.1', '--port', '${port}'])`,
      ],
      { cwd: import.meta.dirname, stdio: "ignore", env: { ...process.env, NODE_OPTIONS: "" } },
    );
    const url = `http://127.0.0.1:${port}`;
    if (await answers(child, `${url}/api/v2/heartbeat`))
      return {
        url,
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
