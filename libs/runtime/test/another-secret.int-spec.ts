import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { loadConfig, instanceShape, Secret } from "@carrel/config";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import pg from "pg";
import { createSharedInfrastructure, startService, type RunningService } from "../src/index.ts";
import { FixtureInstance } from "./fixture-instance.ts";
import { fixtureService } from "./fixture-service.ts";

const root = resolve(import.meta.dirname, "../../..");
const emptyHome = mkdtempSync(join(tmpdir(), "carrel-another-"));
let instance: FixtureInstance;
let running: RunningService;
let role: string;
const admin = (statement: string) => instance.sql.query(statement);
/** Ends the service's connections, so that its next query has to log in. */
const disconnect = () =>
  admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`);
const get = async (path: string) => {
  const reply = await fetch(`http://127.0.0.1:${running.healthPort}/${path}`);
  return { status: reply.status, body: (await reply.json()) as { checks: Record<string, string> } };
};

beforeAll(async () => {
  instance = await FixtureInstance.start(0);
  running = await startService(fixtureService, instance.config, { healthPort: 0 });
  role = `${new URL(instance.config.DATABASE_URL).pathname.slice(1)}_fixture`;
});
afterAll(async () => {
  await running?.stop();
  await instance?.stop();
  rmSync(emptyHome, { recursive: true, force: true });
});

/** Starts the service as a separate process, which must end; returns its output and exit code. */
async function start(environment: Record<string, string>) {
  const child = spawn(
    process.execPath,
    [
      "--import",
      join(root, "tools/swc-hook.mjs"),
      "--conditions=@carrel/source",
      join(import.meta.dirname, "fixture-main.ts"),
    ],
    {
      cwd: root,
      env: { PATH: process.env.PATH, ...instance.environment, ...environment },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const [[code], printed] = await Promise.all([once(child, "exit"), text(child.stderr)]);
  return { code: code as number, printed };
}

it("a process with another secret refuses to start, and the running one keeps answering", async () => {
  const { code, printed } = await start({ CARREL_SECRET: "another secret of 32 characters …" });
  expect(code).toBe(1);
  expect(printed).toMatch(/^This database belongs to an instance with another secret/);
  expect(printed).toContain("./carrel replace-secret");
  expect(printed).not.toContain("    at ");
  await disconnect();
  await poll(async () => (await get("readyz")).status).toBe(200);
  expect((await get("livez")).status).toBe(200);
});

it("a separate process without a secret refuses to start", async () => {
  const { code, printed } = await start({ CARREL_SECRET: "", CARREL_HOME: emptyHome });
  expect(code).toBe(1);
  expect(printed).toContain("CARREL_SECRET: is required where services run as separate processes");
});

it("a process that doesn't use PostgreSQL is told by Redis", async () => {
  await poll(() => instance.caller.refuseAnotherSecret().then(() => "ours")).toBe("ours");
  const other = createSharedInfrastructure({
    ...loadConfig(instanceShape, instance.environment),
    CARREL_SECRET: new Secret("another secret of 32 characters …"),
  });
  await poll(() => other.refuseAnotherSecret().catch((error: Error) => error.name)).toBe(
    "AnotherSecretError",
  );
  await other.close();
});

it.each(["PASSWORD 'from outside'", "NOLOGIN"])(
  "a service whose role was altered from outside recovers (%s)",
  async (change) => {
    await admin(`ALTER ROLE ${role} WITH ${change}`);
    await disconnect();
    await poll(async () => (await get("readyz")).status).toBe(200);
    expect((await get("livez")).status).toBe(200);
  },
);

it("fails liveness while it may not repair its login, and is alive again afterwards", async () => {
  const client = new pg.Client({ connectionString: instance.config.DATABASE_URL });
  await client.connect();
  const fingerprint = await client.query("SELECT fingerprint FROM carrel_instance.secret");
  await client.query("UPDATE carrel_instance.secret SET fingerprint = 'another'");
  await client.query(`ALTER ROLE ${role} WITH PASSWORD 'another'`);
  await disconnect();
  await poll(async () => {
    await get("readyz");
    return (await get("livez")).status;
  }).toBe(503);
  expect((await get("livez")).body.checks["fixture login"]).toContain("another secret");
  await client.query("UPDATE carrel_instance.secret SET fingerprint = $1", [
    fingerprint.rows[0].fingerprint,
  ]);
  await client.end();
  await poll(async () => (await get("readyz")).status).toBe(200);
  expect((await get("livez")).status).toBe(200);
});
