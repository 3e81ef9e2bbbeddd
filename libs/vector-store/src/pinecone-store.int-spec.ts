import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startFakePinecone } from "../test/fakes/fake-pinecone.ts";
import { openForTest } from "../test/open-store.ts";
import { storeConformance } from "../test/store.conformance.ts";
import { vectorIndexConformance } from "../test/vector-index.conformance.ts";

/*
 * Tested at protocol level against a fake written from Pinecone's definitions: no real server is
 * available.
 */
describe("Pinecone", () => {
  let server: Awaited<ReturnType<typeof startFakePinecone>>;
  beforeAll(async () => {
    server = await startFakePinecone("the-secret", { name: "carrel", dimension: 32 });
  });
  afterAll(async () => {
    await server.stop();
  });
  const settings = { VectorDB: "pinecone", PineConeKey: "the-secret", PineConeIndex: "carrel" };
  const baseUrl = () => server.url;

  describe("vector index", () =>
    vectorIndexConformance(() => openForTest(settings, baseUrl()), 2_000));
  describe("store", () =>
    storeConformance({
      settings: () => settings,
      unreachable: () => settings,
      keyless: () => ({ ...settings, PineConeKey: "wrong-secret" }),
      forgets: false,
      baseUrl,
      unreachableUrl: "http://127.0.0.1:9",
    }));

  it("says what is wrong with the index", async () => {
    const store = await openForTest({ ...settings, PineConeIndex: "nowhere" }, baseUrl());
    await expect(store.check()).rejects.toMatchObject({
      isRetryable: false,
      message: expect.stringContaining("Pinecone has no index nowhere"),
    });
    await store.close();
    const own = await openForTest(settings, baseUrl());
    await expect(own.check({ model: "m", dimensions: 1536 })).rejects.toMatchObject({
      isRetryable: false,
      message: expect.stringContaining("has 32 dimensions, but this embedding model has 1536"),
    });
    await expect(own.vectors({ model: "m", dimensions: 1536 }).ensure()).rejects.toThrow(
      "has 32 dimensions",
    );
    await own.close();
    const other = await startFakePinecone("the-secret", {
      name: "carrel",
      dimension: 32,
      metric: "euclidean",
    });
    const third = await openForTest(settings, other.url);
    await expect(third.check()).rejects.toMatchObject({
      isRetryable: false,
      message: expect.stringContaining("uses euclidean"),
    });
    await third.close();
    await other.stop();
  });
});
