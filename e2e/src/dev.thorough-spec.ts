import { utimesSync } from "node:fs";
import { join } from "node:path";
import { guardedFolder, waitFor } from "@carrel/testing";
import { afterEach, expect, it } from "@jest/globals";
import { isRunning } from "../../tools/process.ts";
import { processes } from "../../tools/services.ts";
import { launch, original, servers, type Launch } from "./checkout-copy.ts";

let dev: Launch | undefined;
afterEach(async () => dev?.stop());

it("npm run dev runs every service as its own process with health and metrics, reloads on a change, and stops all of them", async () => {
  dev = await launch(original, {
    command: ["npm", "run", "dev"],
    env: { CARREL_HOME: guardedFolder("carrel-dev-") },
  });
  const { output } = dev;
  await waitFor(() => output().includes("Web app with hot reload"), { timeoutMs: 60_000 });
  const rows = [...output().matchAll(/^(\S+) +(\d+) .*?http:\/\/127\.0\.0\.1:(\d+)\/readyz/gm)].map(
    ([, name, pid, port]) => ({
      name: name!,
      pid: Number(pid),
      health: `http://127.0.0.1:${port}`,
    }),
  );
  expect(rows.map((row) => row.name).sort()).toEqual([...processes].sort());
  for (const { name, health } of rows) {
    await waitFor(async () => (await fetch(`${health}/readyz`)).status === 200, {
      timeoutMs: 90_000,
      intervalMs: 200,
      what: `${name} to be ready`,
    });
    expect(await (await fetch(`${health}/livez`)).json()).toMatchObject({ ok: true });
    expect(await (await fetch(`${health}/metrics`)).text()).toMatch(
      /^process_resident_memory_bytes /m,
    );
  }
  // Vite's dev server proxies API calls to the gateway.
  const made = await fetch(`${dev.url}/api/workspace/new`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "By separate processes" }),
  });
  expect([
    made.status,
    ((await made.json()) as { workspace: { name: string } }).workspace.name,
  ]).toEqual([200, "By separate processes"]);
  expect(await (await fetch(dev.url)).text()).toContain("<!doctype html>");

  const readyLines = () => [...output().matchAll(/"service":"auth".*"msg":"ready"/g)].length;
  const before = readyLines();
  // Saving without a change is enough for the watcher, and leaves the checkout as it is.
  const now = new Date();
  utimesSync(join(original, "services/auth/src/auth.service-definition.ts"), now, now);
  await waitFor(() => readyLines() > before, { timeoutMs: 60_000, what: "the reload of auth" });

  const { postgres, redis } = servers(dev.home);
  await dev.stop("SIGINT");
  const left = [...rows.map((row) => row.pid), postgres!, redis!].filter(isRunning);
  expect(left).toEqual([]);
}, 120_000); // starts, and reloads, every service as its own process
