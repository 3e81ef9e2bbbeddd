import { afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { guardedFolder, startTestRedis, testDatabase, waitFor } from "@carrel/testing";
import { answersOn, isRunning } from "../../tools/process.ts";
import { launch, original, servers, type Launch } from "./checkout-copy.ts";

// Each test starts the product, some more than once.
jest.setTimeout(120_000);

const launches: Launch[] = [];
const start = async (...args: Parameters<typeof launch>): Promise<Launch> => {
  const launched = await launch(...args);
  launches.push(launched);
  return launched;
};
afterEach(async () => {
  for (const one of launches.splice(0)) await one.stop();
});

const makeWorkspace = (url: string, name: string): Promise<Response> =>
  fetch(`${url}/api/workspace/new`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
const workspaceNames = async (url: string): Promise<string[]> =>
  (
    (await (await fetch(`${url}/api/workspaces`)).json()) as { workspaces: { name: string }[] }
  ).workspaces.map((one) => one.name);

describe("npm start", () => {
  let home: string;
  beforeAll(() => {
    home = guardedFolder("carrel-start-life-");
  });

  it("ends its output with the ready line, keeps everything across a stop, and is ready again within seconds", async () => {
    const first = await start(original, { env: { CARREL_HOME: home }, command: ["npm", "start"] });
    await first.ready();
    const port = new URL(first.url).port;
    expect(first.output().trimEnd().split("\n").at(-1)).toBe(
      `Carrel is ready at http://localhost:${port}`,
    );
    expect((await makeWorkspace(first.url, "Kept")).status).toBe(200);
    const { postgres, redis } = servers(home);
    await first.stop(); // SIGTERM to npm, which forwards it
    expect([isRunning(postgres!), isRunning(redis!), existsSync(join(home, "carrel.pid"))]).toEqual(
      [false, false, false],
    );

    const begun = performance.now();
    const second = await start(original, { env: { CARREL_HOME: home } });
    await second.ready();
    expect(performance.now() - begun).toBeLessThan(60_000); // not a benchmark: see bench/start.ts
    expect(await workspaceNames(second.url)).toEqual(["Kept"]);
  });

  it("stops the services first, then Redis, then PostgreSQL, although the signal reaches the whole foreground group", async () => {
    const carrel = await start(original, { env: { CARREL_HOME: home } });
    await carrel.ready();
    const { postgres, redis } = servers(home);
    const session = (pid: number) =>
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" ")[3];
    // Own sessions: a terminal's Ctrl-C cannot reach them.
    expect(new Set([session(carrel.process.pid!), session(postgres!), session(redis!)]).size).toBe(
      3,
    );
    const gone: string[] = [];
    const watch = (async () => {
      const watched = new Map([
        ["page", () => answersOn(Number(new URL(carrel.url).port))],
        ["redis", async () => isRunning(redis!)],
        ["postgres", async () => isRunning(postgres!)],
      ]);
      while (watched.size > 0) {
        for (const [name, check] of watched)
          if (!(await check())) {
            gone.push(name);
            watched.delete(name);
          }
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
    await carrel.stop("SIGINT");
    await watch;
    expect(gone).toEqual(["page", "redis", "postgres"]);
    expect(carrel.output()).toMatch(/Stopping\n.*Stopped\n$/);
  });

  it("adopts its servers after a kill -9 and has lost nothing", async () => {
    const first = await start(original, { env: { CARREL_HOME: home } });
    await first.ready();
    expect((await makeWorkspace(first.url, "Before the kill")).status).toBe(200);
    const before = servers(home);
    await first.stop("SIGKILL");
    const second = await start(original, { env: { CARREL_HOME: home } });
    await second.ready();
    expect(servers(home)).toEqual(before);
    expect(await workspaceNames(second.url)).toContain("Before the kill");
    await second.stop();
    expect(servers(home)).toEqual({ postgres: null, redis: null });
  });

  it("ends when npm is killed, and the next start waits for that", async () => {
    const first = await start(original, { env: { CARREL_HOME: home }, command: ["npm", "start"] });
    await first.ready();
    const inner = Number(readFileSync(join(home, "carrel.pid"), "utf8").split("\n")[0]);
    first.process.kill("SIGKILL");
    const second = await start(original, { env: { CARREL_HOME: home }, command: ["npm", "start"] });
    await second.ready();
    expect(isRunning(inner)).toBe(false);
    expect(await workspaceNames(second.url)).toContain("Kept");
  });

  it("explains that a port or data folder is in use, and leaves the running instance alone", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const refused = await start(original, {
      port,
      env: { CARREL_HOME: guardedFolder("carrel-start-port-") },
    });
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toMatch(
      new RegExp(
        `Port ${port} is in use by another program\\.\\n.*CARREL_PORT=${port + 1} npm start`,
      ),
    );
    other.close();
    const carrel = await start(original, { env: { CARREL_HOME: home } });
    await carrel.ready();
    const twin = await start(original, { env: { CARREL_HOME: home } });
    expect(await twin.ended).toBe(1);
    expect(twin.output()).toContain(`Carrel is already running with the data folder ${home}`);
    expect((await fetch(`${carrel.url}/api/ping`)).status).toBe(200);
  });

  it("uses the PostgreSQL and Redis from the environment instead of starting its own; listens on CARREL_HOST", async () => {
    const [database, redis] = [await testDatabase(), await startTestRedis()];
    const own = guardedFolder("carrel-start-foreign-");
    const carrel = await start(original, {
      env: {
        CARREL_HOME: own,
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        CARREL_HOST: "127.0.0.2",
      },
    });
    await carrel.ready();
    const port = Number(new URL(carrel.url).port);
    expect(carrel.output()).toContain(`Carrel is ready at http://127.0.0.2:${port}\n`);
    expect([await answersOn(port, "127.0.0.2"), await answersOn(port, "127.0.0.1")]).toEqual([
      true,
      false,
    ]);
    expect([existsSync(join(own, "postgres")), existsSync(join(own, "redis"))]).toEqual([
      false,
      false,
    ]);
    await carrel.stop();
    expect(isRunning(redis.pid)).toBe(true); // external servers are left alone
    await redis.stop();
    await database.drop();
  });

  it("is not disturbed by a concurrent npm test", async () => {
    const carrel = await start(original, { env: { CARREL_HOME: home } });
    await carrel.ready();
    const before = {
      ...servers(home),
      built: statSync(join(original, "apps/standalone/dist/.digest")).mtimeMs,
    };
    const beside = await launch(original, {
      command: ["npm", "test", "--", "libs/testing/src/servers"],
      // This file may itself run beside browser tests, whose traces a second run would delete.
      env: { CARREL_TEST_ARTIFACTS: join(home, "artifacts") },
    });
    let pings = 0;
    const pinging = setInterval(
      () =>
        void fetch(`${carrel.url}/api/ping`).then((reply) => {
          if (reply.status === 200) pings++;
        }),
      250,
    );
    expect(await beside.ended).toBe(0);
    clearInterval(pinging);
    expect(beside.output().trimEnd().split("\n").at(-1)).toBe("5 passed, 0 failed");
    expect(pings).toBeGreaterThan(5);
    expect({
      ...servers(home),
      built: statSync(join(original, "apps/standalone/dist/.digest")).mtimeMs,
    }).toEqual(before);
    await waitFor(async () => (await fetch(`${carrel.url}/api/ping`)).status === 200);
  });
});
