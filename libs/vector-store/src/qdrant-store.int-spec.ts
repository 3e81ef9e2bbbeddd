import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { startTcpProxy } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { GenericContainer, Wait, type StartedTestContainer } from "testcontainers";
import { startFakeQdrant } from "../test/fakes/fake-qdrant.ts";
import { textIndexConformance } from "../test/text-index.conformance.ts";
import { vectorIndexConformance } from "../test/vector-index.conformance.ts";
import { openQdrantStore } from "./qdrant-store.ts";
import { checkVectorStore, openVectorStore, vectorPlace } from "./registry.ts";

/**
 * A real Qdrant: QDRANT_URL, or a Docker engine that answers within 2 s and has or gets the image.
 */
const configuredUrl = process.env["QDRANT_URL"];
const image = "qdrant/qdrant:v1.16.0";
const obstacle = configuredUrl ? null : obstacleToContainer();
const describeQdrant = obstacle === null ? describe : describe.skip;
const reason = obstacle === null ? "" : ` (skipped: QDRANT_URL is not set and ${obstacle})`;
const prefix = `carrel-test-${randomUUID().slice(0, 8)}-`;

describeQdrant(`Qdrant${reason}`, () => {
  let container: StartedTestContainer | undefined;
  let url = configuredUrl ?? "";
  beforeAll(async () => {
    if (configuredUrl) return;
    container = await new GenericContainer(image)
      .withExposedPorts(6333)
      .withWaitStrategy(Wait.forHttp("/readyz", 6333))
      .start();
    url = `http://${container.getHost()}:${container.getMappedPort(6333)}`;
  });
  afterAll(async () => {
    await container?.stop();
  });
  const open = () => openQdrantStore({ url, apiKey: process.env["QDRANT_API_KEY"], prefix });

  describe("text index", () => textIndexConformance(open));
  describe("vector index", () => vectorIndexConformance(open));
});

describe("Qdrant at protocol level", () => {
  let server: Awaited<ReturnType<typeof startFakeQdrant>>;
  beforeAll(async () => {
    server = await startFakeQdrant("the-secret");
  });
  afterAll(async () => {
    await server.stop();
  });
  const open = () => openQdrantStore({ url: server.url, apiKey: "the-secret" });

  describe("text index", () => textIndexConformance(open, 1_200));
  describe("vector index", () => vectorIndexConformance(open, 2_000));

  it("creates one collection per model, with every workspace as a tenant with its own graph", async () => {
    const store = await open();
    for (const model of ["one", "two"])
      await store.vectors({ model, dimensions: 3 }).upsert([
        {
          id: randomUUID(),
          workspaceId: 1,
          documentId: "d",
          version: 1,
          vector: new Float32Array([1, 2, 3]),
        },
      ]);
    const made = [...server.collections].filter(([name]) =>
      /^carrel-vector-(one|two)-3-/.test(name),
    );
    expect(made).toHaveLength(2);
    for (const [, { definition, indexes }] of made) {
      expect(definition).toEqual({
        vectors: { size: 3, distance: "Cosine" },
        hnsw_config: { m: 0, payload_m: 16 },
      });
      expect(indexes.get("workspace")).toEqual({ type: "keyword", is_tenant: true });
    }
    for (const model of ["one", "two"]) await store.vectors({ model, dimensions: 3 }).drop();
    await store.close();
  });

  it("changes its name only when someone else removes something", async () => {
    const [mine, other, vector] = [await open(), await open(), new Float32Array([1, 2, 3])];
    const index = mine.vectors({ model: "m", dimensions: 3 });
    await index.upsert([{ id: randomUUID(), workspaceId: 1, documentId: "d", version: 1, vector }]);
    const name = await mine.identity();
    expect(await mine.identity()).toBe(name);
    expect(await other.identity()).toBe(name);
    await other.vectors({ model: "m", dimensions: 3 }).drop();
    expect(await index.search({ workspaceId: 1, vector, limit: 1 })).toEqual([]);
    // A collection dropped by Carrel leaves the register: nothing was lost.
    expect(await mine.identity()).toBe(name);
    (server.collections as Map<string, unknown>).delete("carrel-text");
    expect(await mine.identity()).not.toBe(name);
    expect(await other.identity()).toBe(await mine.identity());
    await index.drop();
    await Promise.all([mine.close(), other.close()]);
  });

  it("lets no search wait for a check of a server that hangs", async () => {
    const proxy = await startTcpProxy(server.url);
    const store = await openQdrantStore({ url: proxy.url, apiKey: "the-secret" });
    await store.text.ensure();
    await proxy.hang();
    const check = store.identity().catch((fault: unknown) => fault);
    const started = performance.now();
    await expect(store.text.statistics({ workspaceId: 1, terms: ["kiln"] })).rejects.toMatchObject({
      fault: { code: "vector-store.timed-out" },
    });
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(await check).toMatchObject({ fault: { code: "vector-store.timed-out" } });
    await proxy.cut();
    await store.close();
  });

  it("searches for 50 terms with at most three requests, and for known ones with one", async () => {
    const store = await open();
    const terms = Array.from({ length: 50 }, (_, n) => `term${n}`);
    // Every tenth term occurs in more chunks than are counted one by one.
    await store.text.upsert(
      Array.from({ length: 1_300 }, (_, n) => ({
        id: randomUUID(),
        workspaceId: 77,
        documentId: `d${n}`,
        version: 1,
        terms: terms.filter((_, place) => (place % 10 === 0 ? n % 2 === 0 : n % 200 === place)),
      })),
    );
    const requests = async (work: () => Promise<unknown>): Promise<number> => {
      const before = server.calls.length;
      await work();
      return server.calls.length - before;
    };
    const search = () => store.text.search({ workspaceId: 77, terms, limit: 10 });
    expect(await requests(search)).toBeLessThanOrEqual(3);
    expect(await requests(search)).toBe(1);
    const { documentCount, frequencies } = await store.text.statistics({ workspaceId: 77, terms });
    expect(documentCount).toBe(1_300);
    expect(frequencies.get("term7")).toBe(7);
    // Frequent terms are estimated.
    expect(Math.abs(frequencies.get("term10")! - 650)).toBeLessThan(65);
    await store.text.deleteWorkspace(77);
    await store.close();
  });

  it("keeps instances with different prefixes apart", async () => {
    const settings = (QdrantCollectionPrefix: string) => ({
      VectorDB: "qdrant",
      QdrantEndpoint: `${server.url}/`,
      QdrantApiKey: "the-secret",
      QdrantCollectionPrefix,
    });
    const [one, two] = await Promise.all(
      ["team-one_", "team-two_"].map((prefix) =>
        openVectorStore({ settings: settings(prefix), folder: "/dev/null/not-needed" }),
      ),
    );
    const model = { model: "m", dimensions: 3 };
    const row = { id: randomUUID(), workspaceId: 1, documentId: "d", version: 1 };
    await one!.text.upsert([{ ...row, terms: ["apple"] }]);
    await one!.vectors(model).upsert([{ ...row, vector: new Float32Array([1, 2, 3]) }]);
    expect(await two!.text.search({ workspaceId: 1, terms: ["apple"], limit: 5 })).toEqual([]);
    expect(
      await two!
        .vectors(model)
        .search({ workspaceId: 1, vector: new Float32Array([1, 2, 3]), limit: 5 }),
    ).toEqual([]);
    const mine = await one!.identity();
    expect(await two!.identity()).not.toBe(mine);
    await two!.text.drop();
    await two!.vectors(model).drop();
    expect(await one!.text.search({ workspaceId: 1, terms: ["apple"], limit: 5 })).toHaveLength(1);
    expect(await one!.identity()).toBe(mine);
    expect(
      [...server.collections.keys()].filter((name) => name.startsWith("team-")).toSorted(),
    ).toEqual([
      expect.stringMatching(/^team-one_register$/),
      "team-one_text",
      expect.stringMatching(/^team-one_vector-m-3-/),
      "team-two_register",
    ]);
    await Promise.all([one!.close(), two!.close()]);
    // Another prefix is another place, so a new index is built there. The default prefix keeps its
    // old name.
    expect(vectorPlace(settings("team-one_"))).toBe(`qdrant ${server.url} team-one_`);
    for (const prefix of ["", " ", "carrel-"])
      expect(vectorPlace(settings(prefix))).toBe(`qdrant ${server.url}`);
  });

  it("reports a wrong key, and passes its check with the right one", async () => {
    const settings = { VectorDB: "qdrant", QdrantEndpoint: server.url, QdrantApiKey: "the-secret" };
    await checkVectorStore({
      settings,
      folder: "/dev/null/not-needed",
      model: { model: "m", dimensions: 3 },
    });
    await expect(
      checkVectorStore({
        settings: { ...settings, QdrantApiKey: "wrong-secret" },
        folder: "/dev/null/not-needed",
      }),
    ).rejects.toMatchObject({
      isRetryable: false,
      message: "Qdrant rejected the key (401). Check it in the settings.",
    });
  });
});

describe("an unreachable Qdrant", () => {
  it("throws a clear, retryable error", async () => {
    const store = await openQdrantStore({ url: "http://127.0.0.1:9" });
    await expect(store.text.health()).rejects.toMatchObject({
      name: "VectorStoreError",
      isRetryable: true,
      message: expect.stringContaining("Couldn't reach"),
    });
    await expect(
      store.text.search({ workspaceId: 1, terms: ["a"], limit: 1 }),
    ).rejects.toMatchObject({ name: "VectorStoreError" });
    await expect(openQdrantStore({ url: "no address" })).rejects.toThrow(
      /This isn't a valid Qdrant address/,
    );
  });
});

function obstacleToContainer(): string | null {
  if (!docker(2_000, "version", "--format", "{{.Server.Version}}"))
    return "no Docker engine answers";
  return docker(10_000, "image", "inspect", image) || docker(90_000, "pull", "--quiet", image)
    ? null
    : `the Docker engine can't get ${image}`;
}

function docker(timeout: number, ...args: string[]): boolean {
  try {
    execFileSync("docker", args, { timeout, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
