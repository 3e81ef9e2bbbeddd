import { once } from "node:events";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { guardedFolder, waitFor } from "@carrel/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { copyCheckout, launch, original, programs, type Launch } from "./checkout-copy.ts";

/**
 * The first start's messages when a download fails or is interrupted. Downloads that succeed are in
 * first-start.install-spec.ts.
 */
describe("set-up of a clean clone", () => {
  const unreachable = { npm_config_registry: "http://127.0.0.1:9/" };
  const launches: Launch[] = [];
  let silent: Server;
  beforeAll(async () => {
    silent = createServer((socket) => socket.on("error", () => socket.destroy()));
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
  });
  afterAll(() => void silent.close());
  afterEach(async () => {
    for (const one of launches.splice(0)) await one.stop();
  });

  /** Starts a copy that has no packages, and Node.js only if `withNode`. */
  async function startClone(withNode: boolean, env: Record<string, string>): Promise<Launch> {
    const place = guardedFolder("carrel-start-setup-");
    const folder = copyCheckout(join(place, "checkout"), { bare: true });
    const node = join(original, ".tools/node");
    if (withNode && existsSync(node)) {
      mkdirSync(join(folder, ".tools"));
      symlinkSync(node, join(folder, ".tools/node"));
    }
    // A machine whose Node is too old: only the answer to the version check is faked.
    const oldNode = `case "$*" in *process.versions.node.split*) exit 1 ;; esac\nexec "${process.execPath}" "$@"`;
    const launched = await launch(folder, {
      env: {
        CARREL_HOME: undefined,
        PATH: programs(join(place, "programs"), withNode ? {} : { own: { node: oldNode } }),
        npm_config_cache: join(place, "npm-cache"),
        npm_config_fetch_retries: "0",
        ...env,
      },
    });
    launches.push(launched);
    return launched;
  }

  it("says that Node.js can't be downloaded, and what to do", async () => {
    const start = await startClone(false, unreachable);
    expect(await start.ended).toBe(1);
    expect(start.output()).toMatch(/Downloading Node\.js 24\./);
    expect(start.output()).toMatch(
      /Node\.js 24\S+ \(npm package node-linux-\w+\) couldn't be downloaded:\n[^]*127\.0\.0\.1:9[^]*What to do: /,
    );
  });

  it("says that a package can't be downloaded, and that the next start continues", async () => {
    const start = await startClone(true, unreachable);
    expect(await start.ended).toBe(1);
    expect(start.output()).not.toMatch(/Downloading Node/); // already there
    expect(start.output()).toMatch(
      /A package couldn't be downloaded:\n[^]*127\.0\.0\.1:9[^]*the next start continues from there/,
    );
  });

  it("stops while it downloads", async () => {
    const { port } = silent.address() as AddressInfo;
    const start = await startClone(true, { npm_config_registry: `http://127.0.0.1:${port}/` });
    await waitFor(() => start.output().includes("Downloading the dependencies"));
    await start.stop("SIGTERM");
    expect(start.process.exitCode).toBe(130);
    expect(start.output()).toMatch(/Stopped\. The next start continues from here\.\n$/);
  });
});
