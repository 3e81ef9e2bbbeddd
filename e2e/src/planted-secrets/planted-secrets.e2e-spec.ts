import { randomUUID } from "node:crypto";
import {
  Deployment,
  poll,
  readFiles,
  readRedis,
  readRedisFiles,
  readTables,
  startFakeLlm,
  startFakeOtlp,
  startTestRedis,
  storeInRedis,
  testDatabase,
  waitFor,
  type Deployed,
  type FakeLlm,
  type FakeOtlp,
  type StoredData,
  type TestDatabase,
  type TestRedis,
} from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { ensureBuilt } from "../../../tools/build.ts";
import { processes } from "../../../tools/services.ts";
import { Api } from "../api.ts";
import { observed, readMetrics } from "../observed-processes.ts";
import { plantFailures, plantFaults } from "./plant-failures.ts";
import { plantAccounts, plantInstancePassword, plantSettings, plantSources } from "./plant.ts";
import { readBackup } from "./read-backup.ts";
import { contains, Secrets } from "./secrets.ts";

// Starts every service as its own process, and kills some.
jest.setTimeout(120_000);

/**
 * Stored on purpose in every place that is searched, so that not finding a secret says something.
 */
const control = `Shown${randomUUID()}`;
/** Appears in a document, the question about it and the answer. */
const passage = `Passage${randomUUID()}`;

describe("secrets", () => {
  const secrets = new Secrets();
  let database: TestDatabase;
  let redis: TestRedis;
  let llm: FakeLlm;
  let collector: FakeOtlp;
  let deployment: Deployment;
  let admin: Api;
  let slug: string;
  let sourcesPath: string;
  const instanceKey = secrets.plant("the instance's key", (secret) => secret + secret);
  const logs = (): StoredData =>
    new Map(deployment.deployed.map(({ name, log }, n) => [`${name} ${n}`, log()]));
  const service = (name: string): Deployed => deployment.named(name)[0]!;

  beforeAll(async () => {
    await ensureBuilt();
    [database, redis, llm, collector] = await Promise.all([
      testDatabase(),
      startTestRedis(),
      startFakeLlm(),
      startFakeOtlp(),
    ]);
    deployment = new Deployment({
      database: database.url,
      redis: redis.url,
      llm: llm.url,
      environment: {
        ...observed(collector),
        CARREL_LOG_LEVEL: "trace",
        CARREL_SECRET: instanceKey,
        SIMPLE_SSO_ENABLED: "1",
        CARREL_LINK_ALLOW: "127.0.0.1",
        CARREL_OIDC_ISSUER: "http://127.0.0.1:9",
        CARREL_OIDC_CLIENT_ID: "carrel",
        CARREL_OIDC_CLIENT_SECRET: secrets.plant("OpenID client secret"),
      },
    });
    for (const url of [database.url, redis.url]) {
      const { password, protocol } = new URL(url);
      if (password !== "") secrets.keep(`password of ${protocol}`, password);
    }
    await Promise.all(processes.map((name) => deployment.deploy(name)));
  });
  afterAll(async () => {
    await deployment?.stop();
    await llm?.stop();
    await collector?.stop();
    await redis?.stop();
    await database?.drop();
  });

  it("are planted through every route that takes or makes one, in requests that succeed and fail", async () => {
    const { url } = service("gateway");
    const { api, password } = await plantInstancePassword(url, secrets);
    await plantSettings(api, secrets, llm);
    admin = await plantAccounts(api, password, secrets);
    const sources = await admin.makeWorkspace("Sources");
    sourcesPath = `/workspace/${sources.slug}/connections`;
    await plantSources(admin, sources.slug, secrets, llm.url);
    await plantFailures(admin, secrets);
    await plantFaults(admin, database.url, `No ${control} today.`, secrets);
    expect(secrets.size).toBeGreaterThan(50);
  });

  it("are planted in jobs and requests whose process is killed", async () => {
    const { url } = service("gateway");
    ({ slug } = await admin.makeWorkspace(control));
    llm.behave({ reply: `As it says in ${control}: ${passage} [1].` });
    const text = `The note of ${control} is ${passage}.`;
    await admin.upload("upload-and-embed", slug, `${control}.txt`, text);
    expect((await admin.ask(slug, `What is ${control}, ${passage}?`)).text).toContain(passage);
    llm.behave({ status: 500, error: { message: `No ${control} for ${passage} today.` } });
    await admin.ask(slug, "And now?");
    await admin.upload("upload-and-embed", slug, "later.txt", "Its vectors will have to wait.");

    llm.behave({ hang: "headers" });
    const before = llm.requests.length;
    const signIns = Array.from({ length: 40 }, (_, n) =>
      new Api(url)
        .call("POST", "/request-token", {
          username: "librarian",
          password: secrets.plant(`password ${n} of a killed sign-in`),
        })
        .then(
          ({ status }) => status,
          () => 0,
        ),
    );
    const asking = admin.ask(slug, "Is anybody there?").catch(() => null);
    // Documents that wait for the embedder make requests too, also after this one.
    await waitFor(() =>
      llm.requests.slice(before).some(({ path }) => path === "/v1/chat/completions"),
    );
    await Promise.all(["auth", "chat"].map((name) => deployment.kill(service(name))));
    await Promise.all(["auth", "chat"].map((name) => deployment.deploy(name)));
    llm.behave({});
    await Promise.all([asking, ...signIns]);
    await waitFor(async () => (await admin.call("GET", "/workspaces")).status === 200);
  });

  it("are in none of the tables, keys, files, logs, exports and backups, in any encoding", async () => {
    const exported: StoredData = new Map();
    const read = async (method: string, path: string, body?: object): Promise<void> => {
      const reply = await admin.call(method, path, body);
      expect([path, reply.status]).toEqual([path, 200]);
      exported.set(path, reply.text);
    };
    for (const type of ["json", "markdown", "html"])
      await read("POST", `/export-chat/${type}`, { workspaceSlug: slug });
    await read("POST", "/system/event-logs", {});
    // A failed job records what failed, but none of the text that caused it.
    await storeInRedis(redis.url, control);
    // The beginning of every Ed25519 private key, such as the one that signs the event log.
    secrets.keep("private key", "MC4CAQAwBQYDK2VwBCIEI");
    for (const path of [
      "/system/event-logs/state",
      "/system/event-logs/export",
      "/system/event-logs/export?format=csv",
      "/setup-complete",
      "/system/providers",
      "/admin/users",
      "/admin/invites",
      "/admin/api-keys",
      "/browser-extension/api-keys",
      sourcesPath,
      "/live-sync/watches",
    ])
      await read("GET", path);
    const places: Record<string, StoredData> = {
      tables: await readTables(database.url),
      keys: await readRedis(redis.url),
      "files of Redis": await readRedisFiles(redis.url),
      "the data folder": readFiles(deployment.home),
      logs: logs(),
      exports: exported,
      "a backup": await readBackup({
        CARREL_HOME: deployment.home,
        CARREL_SECRET: instanceKey,
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
      }),
    };
    expect(Object.entries(places).flatMap(([place, data]) => secrets.findIn(place, data))).toEqual(
      [],
    );
    // Redis keeps its files for long: texts belong to PostgreSQL, and pass through Redis sealed.
    const written = new Secrets();
    written.keep("what a document says", passage);
    for (const place of ["keys", "files of Redis"])
      expect(written.findIn(place, places[place]!)).toEqual([]);
    expect(written.findIn("tables", places["tables"]!)).not.toEqual([]);
    // Positive control: text that isn't secret is found in each place.
    for (const [place, data] of Object.entries(places))
      if (data.size > 0)
        expect([
          place,
          [...data.values()].some((text) => contains(text, text.toLowerCase(), control)),
        ]).toEqual([place, true]);
  });

  it("are in no trace and no metric, and neither is what people write or name", async () => {
    // Spans of requests that contained the secrets.
    await poll(() => collector.spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "auth.session.create",
        "gateway.generation.stream",
        "model answer",
        "extract text",
      ]),
    );
    const metrics = await readMetrics(deployment);
    expect(metrics).toContain("carrel_provider_seconds_count{");
    secrets.keep("what people write", control);
    const traces = new Map([["sent", collector.sent()]]);
    expect([
      ...secrets.findIn("traces", traces),
      ...secrets.findIn("metrics", new Map([["read", metrics]])),
    ]).toEqual([]);
  });
});
