import { existsSync } from "node:fs";
import { join } from "node:path";
import { guardedFolder, waitFor } from "@carrel/testing";
import { afterEach, describe, expect, it } from "@jest/globals";
import { chromium } from "@playwright/test";
import { findChromium } from "../../tools/chromium.ts";
import { copyCheckout, launch, programs, servers, type Launch } from "./checkout-copy.ts";

const launches: Launch[] = [];
afterEach(async () => {
  for (const one of launches.splice(0)) await one.stop();
});

/** Downloads everything, so it isn't part of `npm test`: `npm run test:install`. */
describe("first start", () => {
  it("downloads missing parts, says which download fails and what to do, and continues from there", async () => {
    const place = guardedFolder("carrel-start-first-");
    const folder = copyCheckout(join(place, "checkout"), { bare: true });
    // A machine whose Node is too old: only the answer to the version check is faked.
    const own = {
      node: `case "$*" in *process.versions.node.split*) exit 1 ;; esac\nexec "${process.execPath}" "$@"`,
    };
    const PATH = programs(join(place, "programs"), { own });
    const cache = join(place, "npm-cache");
    const start = async (env: Record<string, string>, command?: string[]): Promise<Launch> => {
      const launched = await launch(folder, {
        command,
        env: {
          CARREL_HOME: undefined,
          PATH,
          npm_config_cache: cache,
          npm_config_fetch_retries: "0",
          ...env,
        },
      });
      launches.push(launched);
      return launched;
    };
    const nowhere = { npm_config_registry: "http://127.0.0.1:9/" };

    const withoutNode = await start(nowhere);
    expect(await withoutNode.ended).toBe(1);
    expect(withoutNode.output()).toMatch(/Downloading Node\.js 24\./);
    expect(withoutNode.output()).toMatch(
      /Node\.js 24\S+ \(npm package node-linux-\w+\) couldn't be downloaded:\n[^]*127\.0\.0\.1:9[^]*What to do: /,
    );

    // With the registry reachable, Node is installed; Ctrl-C while packages install.
    const interrupted = await start({});
    await waitFor(() => interrupted.output().includes("Downloading the dependencies"), {
      timeoutMs: 60_000,
    });
    await interrupted.stop("SIGTERM");
    expect(interrupted.process.exitCode).toBe(130);
    expect(interrupted.output()).toMatch(/Stopped\. The next start continues from here\.\n$/);

    const withoutPackages = await start({
      ...nowhere,
      npm_config_cache: join(place, "empty-cache"),
    });
    expect(await withoutPackages.ended).toBe(1);
    expect(withoutPackages.output()).toMatch(
      /A package couldn't be downloaded:\n[^]*127\.0\.0\.1:9[^]*the next start continues from there/,
    );

    const begun = Date.now();
    const carrel = await start({});
    await carrel.ready(175_000);
    expect(Date.now() - begun).toBeLessThan(180_000);
    expect(carrel.output()).not.toMatch(/Downloading Node/); // already there
    expect(carrel.output()).toMatch(/^\d\d:\d\d:\d\d {2}Downloading the dependencies/m);
    expect(carrel.output()).toMatch(/^\d\d:\d\d:\d\d {2}Building Carrel$/m);
    expect(carrel.output().trimEnd().split("\n").at(-1)).toBe(
      `Carrel is ready at http://localhost:${new URL(carrel.url).port}`,
    );
    expect((await fetch(`${carrel.url}/api/ping`)).status).toBe(200);
    expect(servers(carrel.home).postgres).not.toBeNull();
    // With the few files of packages that a start installs, the app is built whole.
    const browser = await chromium.launch({
      executablePath: findChromium(),
      args: ["--no-sandbox"],
    });
    try {
      const page = await browser.newPage();
      await page.goto(carrel.url);
      await page.getByText("A quiet desk for your documents").waitFor();
    } finally {
      await browser.close();
    }
    await carrel.stop();

    // Only what a start needs; tests install the rest, which a later start keeps.
    const jest = join(folder, "node_modules/jest");
    expect(existsSync(jest)).toBe(false);
    const test = await start({}, [join(folder, "carrel"), "jest", "--version"]);
    expect(await test.ended).toBe(0);
    const again = await start({});
    await again.ready();
    expect(again.output()).not.toMatch(/Downloading/);
    expect(existsSync(jest)).toBe(true);
  });
});
