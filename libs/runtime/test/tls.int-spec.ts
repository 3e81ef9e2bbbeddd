import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { recordFingerprint } from "@carrel/database";
import {
  createTestAuthority,
  poll,
  startTlsPostgres,
  startTlsRedis,
  type TlsServer,
} from "@carrel/testing";
import { afterAll, afterEach, beforeAll, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import pg from "pg";
import { freePort } from "../../../tools/process.ts";

const root = resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "carrel-tls-"));
const authority = createTestAuthority();
const caFile = join(folder, "ca.pem");
const otherFile = join(folder, "other.pem");
let postgres: TlsServer;
let redis: TlsServer;
let child: ChildProcess | undefined;
let printed = "";

beforeAll(async () => {
  writeFileSync(caFile, authority.certificate);
  writeFileSync(otherFile, createTestAuthority().certificate);
  const identity = authority.issue("localhost");
  [postgres, redis] = await Promise.all([startTlsPostgres(identity), startTlsRedis(identity)]);
});
afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
});
afterAll(async () => {
  await Promise.all([postgres?.stop(), redis?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

/** A program as a process of its own, with what all of them need. */
function run(program: readonly string[], environment: Record<string, string>): void {
  printed = "";
  child = spawn(
    process.execPath,
    ["--import", join(root, "tools/swc-hook.mjs"), "--conditions=@carrel/source", ...program],
    {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        CARREL_HOME: join(folder, "home"),
        CARREL_SECRET: "a secret for tests only, 32 characters",
        CARREL_LOG_LEVEL: "warn",
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  for (const stream of [child.stdout!, child.stderr!])
    stream.on("data", (text: Buffer) => {
      printed += text.toString();
    });
}

/** Returns the port of the service's health checks. */
async function start(
  databaseParameters: string,
  environment: Record<string, string>,
): Promise<number> {
  const port = await freePort();
  run([join(import.meta.dirname, "fixture-main.ts")], {
    CARREL_HEALTH_PORT: String(port),
    DATABASE_URL: `${postgres.tlsUrl}?${databaseParameters}`,
    REDIS_URL: redis.tlsUrl,
    ...environment,
  });
  return port;
}

/** `migrate` of the images, for all services. */
function runMigration(environment: Record<string, string>): void {
  const owner = new URL(`${postgres.tlsUrl}?sslmode=verify-full`);
  run([join(root, "tools/backup/main.ts"), "migrate"], {
    DATABASE_OWNER_URL: owner.href,
    ...Object.fromEntries(
      ["AUTH", "WORKSPACE", "INGEST", "CONNECTORS", "SYNC_WORKER", "CHAT"].map((name) => [
        `DATABASE_URL_${name}`,
        Object.assign(new URL(owner), { username: name.toLowerCase(), password: "for tests" }).href,
      ]),
    ),
    ...environment,
  });
}

const isReady = (port: number) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ status }) => status,
    () => printed,
  );

/** Which of the service's connections are encrypted. */
async function encryption(): Promise<{ postgres: boolean[]; redis: boolean[] }> {
  const client = new pg.Client({ connectionString: postgres.url });
  const plain = new Redis(redis.url);
  try {
    await client.connect();
    const { rows } = await client.query<{ ssl: boolean }>(
      `SELECT DISTINCT s.ssl FROM pg_stat_ssl s
      JOIN pg_stat_activity a USING (pid)
      WHERE a.application_name LIKE 'carrel%'`,
    );
    const list = String(await plain.client("LIST"));
    const ports = [...list.matchAll(/ laddr=\S*:(\d+) .* name=carrel-/g)].map(([, port]) => port);
    const { port } = new URL(redis.tlsUrl);
    return {
      postgres: rows.map(({ ssl }) => ssl),
      redis: [...new Set(ports.map((each) => each === port))],
    };
  } finally {
    plain.disconnect();
    await client.end();
  }
}

it.each([
  ["CARREL_CA_FILE", "sslmode=verify-full", () => ({ CARREL_CA_FILE: caFile })],
  [
    "NODE_EXTRA_CA_CERTS and sslrootcert",
    `sslmode=verify-full&sslrootcert=${caFile}`,
    () => ({ NODE_EXTRA_CA_CERTS: caFile }),
  ],
])("a service uses PostgreSQL and Redis over TLS with %s", async (_name, parameters, files) => {
  const port = await start(parameters, files());
  await poll(() => isReady(port)).toBe(200);
  expect(await encryption()).toEqual({ postgres: [true], redis: [true] });
});

it("doesn't start with a database whose authority is another, and says what to do", async () => {
  await start("sslmode=verify-full", { CARREL_CA_FILE: otherFile });
  await poll(() => child!.exitCode).toBe(1);
  expect(printed).toContain("The certificate of a server isn't trusted");
  expect(printed).toContain("set CARREL_CA_FILE");
  expect(printed).not.toContain("    at ");
});

it("waits for a Redis whose authority is another, and says why", async () => {
  await start(`sslmode=verify-full&sslrootcert=${caFile}`, { CARREL_CA_FILE: otherFile });
  await poll(() => printed).toMatch(/certificate[^\n]*Redis is unreachable, will retry/);
});

it("the migration of all services trusts CARREL_CA_FILE, and says plainly what is wrong", async () => {
  runMigration({ CARREL_CA_FILE: otherFile });
  await poll(() => child!.exitCode, { timeoutMs: 60_000 }).toBe(1);
  expect(printed).toContain("The certificate of a server isn't trusted");
  expect(printed).not.toContain("    at ");
  // Only whoever can read the database knows this.
  await recordFingerprint(postgres.url, "of another secret");
  runMigration({ CARREL_CA_FILE: caFile });
  await poll(() => child!.exitCode, { timeoutMs: 60_000 }).toBe(1);
  expect(printed).toContain("This database belongs to an instance with another secret");
  expect(printed).not.toContain("    at ");
}, 120_000);
