import { randomUUID } from "node:crypto";
import { ingestModelUsed } from "@carrel/contracts";
import { createDataSource, migrate } from "@carrel/database";
import { Outbox } from "@carrel/messaging";
import { createLogger } from "@carrel/observability";
import { createEmbeddingModel, type ProviderError } from "@carrel/providers";
import {
  startFakeLlm,
  testDatabase,
  waitFor,
  type FakeBehaviour,
  type FakeLlm,
  type TestDatabase,
} from "@carrel/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { DataSource } from "typeorm";
import { TextRepository } from "../document/text.repository.ts";
import { ingestDatabase } from "../ingest.database.ts";
import { ModelUse } from "../usage/model-use.ts";
import { SearchPriority } from "../work-pool/search-priority.ts";
import { hashContent } from "../work-pool/split-window.ts";
import { ChunkVectors, type EmbeddableChunk } from "./chunk-vectors.ts";
import { EmbeddingCache } from "./embedding-cache.ts";
import { EmbeddingCalls } from "./embedding-calls.ts";
import type { NamedModel } from "./embedding-models.ts";

const chunkOf = (text: string): EmbeddableChunk => ({
  start: 0,
  end: text.length,
  headingPath: [],
  contentHash: hashContent(text),
  text,
});
const { signal: never } = new AbortController();

describe("vectors of chunks", () => {
  let database: TestDatabase;
  let source: DataSource;
  let fake: FakeLlm;
  let named: NamedModel;
  let cache: EmbeddingCache;
  let use: ModelUse;
  let vectors: ChunkVectors;
  beforeAll(async () => {
    database = await testDatabase();
    await migrate(database.url, ingestDatabase);
    source = await createDataSource(database.url, ingestDatabase, { poolSize: 4 }).initialize();
  });
  beforeEach(async () => {
    fake = await startFakeLlm();
    const model = createEmbeddingModel(
      "generic-openai",
      { EmbeddingBasePath: `${fake.url}/v1`, EmbeddingModelPref: "fake-embedder" },
      { modelsDir: "", hub: null },
    );
    named = { name: randomUUID(), model };
    cache = new EmbeddingCache(source);
    use = new ModelUse(source, new Outbox("ingest"), createLogger("test", "silent"));
    vectors = new ChunkVectors(
      new TextRepository(source),
      cache,
      use,
      new EmbeddingCalls(new SearchPriority()),
    );
  });
  afterEach(async () => {
    vectors.onApplicationShutdown();
    await fake.stop();
  });
  afterAll(async () => {
    await source?.destroy();
    await database?.drop();
  });

  interface Request {
    documentId: string;
    texts: string[];
    workspaceId?: number;
    isRetry?: boolean;
  }
  const make = (
    { documentId, texts, workspaceId = 1, isRetry = false }: Request,
    signal = never,
  ): Promise<Float32Array[]> =>
    vectors.make(documentId, texts.map(chunkOf), named, {
      signal,
      onDone: () => Promise.resolve(),
      workspaceId,
      isRetry,
    });
  const inputs = (): string[][] => fake.requests.map(({ body }) => body.input as string[]);

  /** Makes these requests while all calls are occupied, so that they wait. */
  async function makeWaiting(
    requests: Request[],
    behaviours: FakeBehaviour[] = [],
  ): Promise<PromiseSettledResult<Float32Array[]>[]> {
    const gate = Promise.withResolvers<void>();
    fake.behave({ after: gate.promise });
    const before = [0, 1, 2, 3].map(async (n) => {
      await waitFor(() => fake.requests.length >= n);
      await make({ documentId: `${n}`, texts: [`${n}`] });
    });
    await waitFor(() => fake.requests.length === 4);
    fake.behave({});
    fake.next(...behaviours);
    // Progress is reported between reading the cache and requesting what it lacks.
    const known = chunkOf("known");
    await cache.add(named.name, [{ hash: known.contentHash, vector: new Float32Array(384) }]);
    let asked = 0;
    const waiting = requests.map(({ documentId, texts, workspaceId = 1, isRetry = false }) =>
      vectors.make(documentId, [known, ...texts.map(chunkOf)], named, {
        signal: never,
        onDone: () => Promise.resolve(void asked++),
        workspaceId,
        isRetry,
      }),
    );
    await waitFor(() => asked === requests.length);
    // Before they can fail.
    const outcomes = Promise.allSettled(waiting);
    gate.resolve();
    await Promise.all(before);
    return outcomes;
  }
  const kindsOf = (outcomes: PromiseSettledResult<unknown>[]): string[] =>
    outcomes.map((outcome) =>
      outcome.status === "fulfilled" ? "embedded" : (outcome.reason as ProviderError).kind,
    );
  const refused = { status: 400, error: { message: "an input is not acceptable" } };

  it("are requested at once for a single document, and together for those that wait", async () => {
    await makeWaiting([
      { documentId: "a", texts: ["one", "two"] },
      { documentId: "b", texts: ["three"] },
    ]);
    expect(inputs().slice(0, 4).toSorted()).toEqual([["0"], ["1"], ["2"], ["3"]]);
    expect(
      inputs()
        .slice(4)
        .map((input) => input.toSorted()),
    ).toEqual([["one", "three", "two"]]);
  });

  it("are requested again for each document if a shared call's input is at fault", async () => {
    const outcomes = await makeWaiting(
      [
        { documentId: "a", texts: ["good"] },
        { documentId: "b", texts: ["bad"] },
      ],
      [refused, refused],
    );
    expect(kindsOf(outcomes).toSorted()).toEqual(["embedded", "invalid"]);
    expect(inputs()).toHaveLength(7);
    expect(inputs().slice(5).toSorted()).toEqual([["bad"], ["good"]]);
  });

  it.each([
    ["rate-limit", { status: 429, retryAfter: 60 }, 1],
    // Every call is repeated once after such a fault.
    ["server", { status: 500 }, 2],
  ])("aren't requested for each document after a fault of kind %s", async (kind, fault, calls) => {
    const outcomes = await makeWaiting(
      ["a", "b", "c"].map((documentId) => ({ documentId, texts: [`text of ${documentId}`] })),
      [fault, fault],
    );
    expect(kindsOf(outcomes)).toEqual([kind, kind, kind]);
    expect(
      inputs()
        .slice(4)
        .map((input) => input.length),
    ).toEqual(Array(calls).fill(3));
  });

  it("share no call when their document failed before", async () => {
    await makeWaiting([
      { documentId: "a", texts: ["good"] },
      { documentId: "b", texts: ["failed before"], isRetry: true },
    ]);
    expect(inputs().slice(4).toSorted()).toEqual([["failed before"], ["good"]]);
  });

  it("report what the vendor counted, by workspace, once per text", async () => {
    await makeWaiting([
      { documentId: "a", texts: ["a text of the first workspace", "shared"], workspaceId: 7 },
      { documentId: "b", texts: ["a text of the other workspace", "shared"], workspaceId: 8 },
    ]);
    await use.flush();
    const rows = await source.query<
      {
        payload: { workspaceId: number; inputTokens: number; model: string; milliseconds: number };
      }[]
    >("SELECT payload FROM ingest.outbox WHERE name = $1 ORDER BY payload->>'workspaceId'", [
      ingestModelUsed.name,
    ]);
    expect(rows.map(({ payload }) => payload.workspaceId)).toEqual([1, 7, 8]);
    for (const { payload } of rows) {
      expect(payload).toMatchObject({ provider: "generic-openai", model: "fake-embedder" });
      expect(payload.inputTokens).toBeGreaterThan(0);
      expect(payload.milliseconds).toBeGreaterThanOrEqual(0);
    }
    // Workspace 7's use includes the shared text.
    expect(rows[1]!.payload.inputTokens).toBeGreaterThan(rows[2]!.payload.inputTokens);
    await use.flush();
    expect(
      await source.query("SELECT 1 FROM ingest.outbox WHERE name = $1", [ingestModelUsed.name]),
    ).toHaveLength(3);
  });

  it("aren't made of a text that isn't the chunk's anymore, and others' are", async () => {
    const { text: _, ...chunk } = chunkOf("the text before");
    const changed = vectors.make(randomUUID(), [chunk], named, {
      signal: never,
      onDone: () => Promise.resolve(),
      workspaceId: 1,
    });
    // These share its call.
    const others = Promise.all([
      make({ documentId: randomUUID(), texts: ["the text before"] }),
      make({ documentId: randomUUID(), texts: ["another"] }),
    ]);
    await expect(changed).rejects.toThrow("The text has changed.");
    expect((await others).flat()).toHaveLength(2);
    expect(inputs().flat().toSorted()).toEqual(["another", "the text before"]);
    expect(await cache.find(named.name, [chunk.contentHash])).toEqual(
      new Map([[chunk.contentHash.toString("hex"), (await others)[0][0]]]),
    );
  });

  it("are waited for by the next job when the first one gives up", async () => {
    const gate = Promise.withResolvers<void>();
    fake.behave({ after: gate.promise });
    const timeout = new AbortController();
    const first = make({ documentId: "a", texts: ["patience"] }, timeout.signal);
    await waitFor(() => fake.requests.length === 1);
    timeout.abort(new Error("gave up"));
    await expect(first).rejects.toThrow("gave up");
    const next = make({ documentId: "a", texts: ["patience"] });
    gate.resolve();
    expect(await next).toHaveLength(1);
    expect(fake.requests).toHaveLength(1);
    expect(fake.requests[0]!.aborted).toBe(false);
  });

  it("stop being requested when the process stops", async () => {
    fake.behave({ hang: "headers" });
    const hanging = make({ documentId: "a", texts: ["never"] });
    const failed = expect(hanging).rejects.toMatchObject({ kind: "aborted" });
    await waitFor(() => fake.requests.length === 1);
    vectors.onApplicationShutdown();
    await failed;
    await waitFor(() => fake.requests[0]!.aborted);
  });
});
