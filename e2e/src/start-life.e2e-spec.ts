import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { guardedFolder, isThorough, poll, startFakeLlm, waitFor } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { answersOn, isRunning } from "../../tools/process.ts";
import { Api } from "./api.ts";
import {
  launch,
  original,
  servers,
  stopPostgres,
  systemUser,
  userOf,
  type Launch,
} from "./checkout-copy.ts";

// Each test starts the product, some more than once.
jest.setTimeout(120_000);

const inThoroughRun = isThorough ? it : it.skip;
const asRoot = process.getuid?.() === 0 ? it : it.skip; // an ordinary user cannot test what root does

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

// One data folder from its first start on: each test continues from the state the previous one left.
describe("npm start", () => {
  let home: string;
  /** The instance that runs in `home`. */
  let carrel: Launch;
  const launches: Launch[] = [];
  const launchHere = async (...args: Parameters<typeof launch>): Promise<Launch> => {
    const launched = await launch(...args);
    launches.push(launched);
    return launched;
  };
  const start = async (command?: string[]): Promise<void> => {
    carrel = await launchHere(original, { env: { CARREL_HOME: home }, command });
    await carrel.ready();
  };
  beforeAll(() => {
    home = guardedFolder("carrel-start-life-");
  });
  afterAll(async () => {
    for (const one of launches) await one.stop();
  });

  it("ends its output with the ready line", async () => {
    await start(["npm", "start"]);
    const port = new URL(carrel.url).port;
    expect(carrel.output().trimEnd().split("\n").at(-1)).toBe(
      `Carrel is ready at http://localhost:${port}`,
    );
    expect((await makeWorkspace(carrel.url, "Kept")).status).toBe(200);
  });

  asRoot("runs PostgreSQL as the system user postgres if that user can reach the folder", () => {
    const { postgres, redis } = servers(home);
    expect(userOf(postgres!)).toBe(systemUser());
    expect(userOf(redis!)).toBe(0);
    for (const place of ["postgres", "redis", "logs"])
      expect(statSync(join(home, place)).mode & 0o077).toBe(0);
    expect(statSync(home).mode & 0o066).toBe(0);
  });

  it("ends when npm is killed, and the next start waits for that", async () => {
    const inner = Number(readFileSync(join(home, "carrel.pid"), "utf8").split("\n")[0]);
    carrel.process.kill("SIGKILL");
    await start(["npm", "start"]);
    expect(isRunning(inner)).toBe(false);
    expect(await workspaceNames(carrel.url)).toEqual(["Kept"]);
  });

  it("stops with its servers within 15 s, whatever its clients are doing, and keeps everything", async () => {
    const { postgres, redis } = servers(home);
    const { port } = new URL(carrel.url);
    const sockets = [
      "GET /api/changes HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "POST /api/workspace/new HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n{",
      'POST /api/workspace/kept/upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\na',
    ].map((request) => {
      const socket = connect(Number(port), "127.0.0.1", () => socket.write(request));
      return socket.on("error", () => undefined);
    });
    await once(sockets[0]!, "data");
    const begun = performance.now();
    await carrel.stop(); // SIGTERM to npm, which forwards it
    expect(performance.now() - begun).toBeLessThan(15_000);
    for (const socket of sockets) socket.destroy();
    expect([isRunning(postgres!), isRunning(redis!), existsSync(join(home, "carrel.pid"))]).toEqual(
      [false, false, false],
    );
    const stopped = performance.now();
    await start();
    expect(performance.now() - stopped).toBeLessThan(60_000); // not a benchmark: see bench/start.ts
    expect(await workspaceNames(carrel.url)).toEqual(["Kept"]);
  });

  it("explains that a port or data folder is in use, and leaves the running instance alone", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const refused = await launchHere(original, {
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
    const twin = await launchHere(original, { env: { CARREL_HOME: home } });
    expect(await twin.ended).toBe(1);
    expect(twin.output()).toContain(`Carrel is already running with the data folder ${home}`);
    expect((await fetch(`${carrel.url}/api/ping`)).status).toBe(200);
  });

  inThoroughRun("is not disturbed by a concurrent npm test (npm run test:thorough)", async () => {
    const before = {
      ...servers(home),
      built: statSync(join(original, "dist/.digest")).mtimeMs,
    };
    const beside = await launchHere(original, {
      command: ["npm", "test", "--", "libs/testing/src/servers"],
      // This file may itself run beside browser tests, whose traces a second run would delete.
      env: { CARREL_TEST_ARTIFACTS: join(home, "artifacts") },
    });
    let pings = 0;
    const faults: unknown[] = [];
    const pinging = setInterval(
      () =>
        void fetch(`${carrel.url}/api/ping`).then(
          (reply) => {
            if (reply.status === 200) pings++;
          },
          (error: unknown) => faults.push(error),
        ),
      250,
    );
    expect(await beside.ended.finally(() => clearInterval(pinging))).toBe(0);
    expect(beside.output().trimEnd().split("\n").at(-1)).toBe("5 passed, 0 failed");
    expect(pings).toBeGreaterThan(5);
    expect(faults).toEqual([]);
    expect({
      ...servers(home),
      built: statSync(join(original, "dist/.digest")).mtimeMs,
    }).toEqual(before);
    await waitFor(async () => (await fetch(`${carrel.url}/api/ping`)).status === 200);
  });

  it("is unavailable while PostgreSQL is away, refuses no credential, and then finishes its work", async () => {
    const vendor = await startFakeLlm();
    const api = new Api(carrel.url);
    await api.json("POST", "/system/update-env", {
      LLMProvider: "generic-openai",
      GenericOpenAiBasePath: `${vendor.url}/v1`,
      GenericOpenAiModelPref: "fake-model",
      GenericOpenAiTokenLimit: "8192",
    });
    const { slug } = await api.makeWorkspace("Outage");
    const { apiKey } = await api.json<{ apiKey: { secret: string } }>(
      "POST",
      "/system/generate-api-key",
    );
    const checkKey = () =>
      api.call("GET", "/v1/auth", undefined, { authorization: `Bearer ${apiKey.secret}` });
    const words = "The lamp of the lighthouse was lit again in April.";
    const resume = Promise.withResolvers<void>();
    vendor.behave({ reply: words, after: resume.promise });
    const asking = api.call(
      "POST",
      `/workspace/${slug}/stream-chat`,
      { message: "When was it lit?" },
      { "X-Carrel-Stream": "1" },
    );
    await waitFor(() => vendor.openStreams() === 1);
    const form = new FormData();
    form.set("file", new Blob([words]), "lamp.txt");
    const upload = await api.call("POST", `/workspace/${slug}/upload-and-embed`, form, {
      Prefer: "respond-async",
    });
    expect(upload.status).toBe(202);
    const startPostgres = await stopPostgres(home);
    const ways = [
      () => api.call("GET", "/workspaces"),
      () => api.call("POST", "/workspace/new", { name: "Not now" }),
      () => api.upload("upload-and-embed", slug, "more.txt", "More."),
      checkKey,
    ];
    for (const way of ways) {
      const { status, headers } = await way();
      expect({ status, fault: headers.get("carrel-error") }).toEqual({
        status: 503,
        fault: expect.stringMatching(/request\.(unavailable|connection-lost)/),
      });
    }
    expect((await api.call("GET", "/workspaces")).headers.get("retry-after")).toBe("1");
    const ready = await fetch(`${carrel.url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ ok: false, checks: { redis: "ok" } });
    expect((await fetch(`${carrel.url}/livez`)).status).toBe(200);
    resume.resolve();
    await startPostgres();
    await poll(async () => (await api.call("GET", "/workspaces")).status).toBe(200);
    expect((await checkKey()).status).toBe(200);
    expect((await asking).text).toContain("finalizeResponseStream");
    await poll(async () => (await api.call("GET", `/workspace/${slug}/chats`)).text).toContain(
      words,
    );
    await poll(async () => (await api.call("GET", `/workspace/${slug}/documents`)).text).toMatch(
      /"lamp\.txt".*"(?:searchable|embedding|embedded)"/,
    );
    await vendor.stop();
  });

  it("adopts its servers after a kill -9, has lost nothing, and writes the answer that had not begun", async () => {
    const vendor = await startFakeLlm();
    const api = new Api(carrel.url);
    await api.json("POST", "/system/update-env", {
      LLMProvider: "generic-openai",
      GenericOpenAiBasePath: `${vendor.url}/v1`,
      GenericOpenAiModelPref: "fake-model",
      GenericOpenAiTokenLimit: "8192",
    });
    const { slug } = await api.makeWorkspace("Before the kill");
    vendor.behave({ reply: "Never sent.", hang: 0 });
    const asking = api.call(
      "POST",
      `/workspace/${slug}/stream-chat`,
      { message: "Still there?" },
      { "X-Carrel-Stream": "1" },
    );
    asking.catch(() => undefined); // the kill breaks it off
    await waitFor(() => vendor.openStreams() === 1);
    // The model is called while the question is still being written.
    await waitFor(async () =>
      (await api.call("GET", `/workspace/${slug}/turns`)).text.includes("Still there?"),
    );
    const before = servers(home);
    await carrel.stop("SIGKILL");
    vendor.behave({ reply: "Here again." });
    await start();
    expect(servers(home)).toEqual(before);
    expect(await workspaceNames(carrel.url)).toContain("Before the kill");
    await expect(asking).rejects.toThrow();
    const after = new Api(carrel.url);
    await waitFor(async () =>
      (await after.call("GET", `/workspace/${slug}/chats`)).text.includes("Here again."),
    );
    await vendor.stop();
  });

  it("stops the services first, then Redis, then PostgreSQL, although the signal reaches the whole foreground group", async () => {
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
    expect(servers(home)).toEqual({ postgres: null, redis: null });
  });
});
