import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { poll, startTestRedis } from "@carrel/testing";
import { expect, it } from "@jest/globals";
import { freePort } from "../../../tools/process.ts";

const root = resolve(import.meta.dirname, "../../..");

it("starts and serves with no URL of PostgreSQL", async () => {
  const redis = await startTestRedis({ appendonly: false });
  const home = mkdtempSync(join(tmpdir(), "carrel-gateway-"));
  const port = await freePort();
  const gateway = spawn(
    process.execPath,
    [
      "--import",
      join(root, "tools/swc-hook.mjs"),
      "--conditions=@carrel/source",
      join(import.meta.dirname, "main.ts"),
    ],
    {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        CARREL_HOME: home,
        CARREL_PORT: String(port),
        CARREL_LOG_LEVEL: "warn",
        CARREL_SECRET: "a secret for tests only, 32 characters",
        REDIS_URL: redis.url,
      },
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  const exited = once(gateway, "exit");
  try {
    const answer = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`).catch((error: Error) => error.message);
    await poll(() => answer("/readyz"), { timeoutMs: 30_000 }).toMatchObject({ status: 200 });
    expect(await answer("/api/ping")).toMatchObject({ status: 200 });
    gateway.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
  } finally {
    gateway.kill("SIGKILL");
    await exited;
    await redis.stop();
    rmSync(home, { recursive: true, force: true });
  }
});
