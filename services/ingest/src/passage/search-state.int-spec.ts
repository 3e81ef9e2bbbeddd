import { getSearchState, type Out } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { startTestIngest, workspaceScope, type TestIngest } from "../../test/test-ingest.ts";

let ingest: TestIngest;
beforeAll(async () => {
  ingest = await startTestIngest();
});
afterAll(() => ingest?.stop());

const state = (): Promise<Out<typeof getSearchState>> =>
  ingest.client.request(getSearchState, { slug: "w1" }, { scope: workspaceScope(1) });

it("counts the documents with vectors, and says what the embedder lacks", async () => {
  const ready = { state: "ready", fault: null };
  expect(await state()).toEqual({ documents: 0, embedded: 0, embedder: ready });
  await ingest.until(1, await ingest.upload(1, "first.txt", "The first text."), "embedded");
  expect(await state()).toEqual({ documents: 1, embedded: 1, embedder: ready });
  // Settings without a key: the index keeps its embedder.
  await ingest.changeSettings({ EmbeddingEngine: "openai" });
  await poll(() => state()).toEqual({ documents: 1, embedded: 1, embedder: ready });
  await ingest.changeSettings(ingest.withEmbedder);
  ingest.fake.behave({ embeddingDelayMs: 60_000 });
  const second = await ingest.upload(1, "second.txt", "The second text.");
  await ingest.until(1, second, "searchable", "embedding");
  expect(await state()).toEqual({ documents: 2, embedded: 1, embedder: ready });
});
