import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startFakeAstra } from "../test/fakes/fake-astra.ts";
import { startFakeMilvus } from "../test/fakes/fake-milvus.ts";
import { startFakeWeaviate } from "../test/fakes/fake-weaviate.ts";
import { openForTest } from "../test/open-store.ts";
import { storeConformance } from "../test/store.conformance.ts";
import { vectorIndexConformance } from "../test/vector-index.conformance.ts";
import type { StoreSettings } from "./store.ts";

/*
 * Stores whose real servers we can't run: tested at protocol level against fakes written from the
 * vendors' definitions, which each fake names.
 */

const stores: {
  name: string;
  start(): Promise<{ url: string; stop(): Promise<void> }>;
  settings(url: string, key: string): StoreSettings;
}[] = [
  {
    name: "Milvus",
    start: () => startFakeMilvus("root:the-secret"),
    settings: (url, key) => ({
      VectorDB: "milvus",
      MilvusAddress: url,
      MilvusUsername: "root",
      MilvusPassword: key,
    }),
  },
  {
    name: "Zilliz Cloud",
    start: () => startFakeMilvus("the-secret"),
    settings: (url, key) => ({ VectorDB: "zilliz", ZillizEndpoint: url, ZillizApiToken: key }),
  },
  {
    name: "Weaviate",
    start: () => startFakeWeaviate("the-secret"),
    settings: (url, key) => ({ VectorDB: "weaviate", WeaviateEndpoint: url, WeaviateApiKey: key }),
  },
  {
    name: "Astra DB",
    start: () => startFakeAstra("the-secret"),
    settings: (url, key) => ({
      VectorDB: "astra",
      AstraDBEndpoint: url,
      AstraDBApplicationToken: key,
    }),
  },
];

for (const { name, start, settings } of stores) {
  describe(name, () => {
    let server: Awaited<ReturnType<typeof start>>;
    beforeAll(async () => {
      server = await start();
    });
    afterAll(async () => {
      await server.stop();
    });

    describe("vector index", () =>
      vectorIndexConformance(() => openForTest(settings(server.url, "the-secret")), 2_000));
    storeConformance({
      settings: () => settings(server.url, "the-secret"),
      unreachable: () => settings("http://127.0.0.1:9", "the-secret"),
      keyless: () => settings(server.url, "wrong-secret"),
      forgets: true,
    });
  });
}

describe("settings", () => {
  it("names the missing one", async () => {
    for (const VectorDB of [
      "chroma",
      "chromacloud",
      "pgvector",
      "weaviate",
      "milvus",
      "zilliz",
      "pinecone",
      "astra",
      "qdrant",
    ]) {
      await expect(openForTest({ VectorDB })).rejects.toMatchObject({
        name: "VectorStoreError",
        isRetryable: false,
        message: expect.stringMatching(/needs .*\. Set it in the settings\.$/),
      });
    }
    await expect(openForTest({ VectorDB: "elsewhere" })).rejects.toThrow(
      "Carrel doesn't support the vector database elsewhere.",
    );
  });
});
