import { afterEach, describe, expect, it } from "@jest/globals";
import { getIndexState } from "@carrel/contracts";
import { findBesideCheckout, waitFor } from "@carrel/testing";
import { queryModeDocuments, queryModeSets } from "../../../../libs/retrieval/test/query-mode.ts";
import { libraryScope, startTestIngest, textsOf, type TestIngest } from "../../test/test-ingest.ts";

describe("the self-check of an index", () => {
  let ingest: TestIngest | undefined;
  afterEach(async () => {
    await ingest?.stop();
    ingest = undefined;
  });

  /** Embeds sixty documents and waits for the check. */
  const checked = async (): Promise<boolean> => {
    const documents = (await Promise.all(queryModeSets.map(queryModeDocuments))).flat();
    const ids = await Promise.all(
      documents.map(({ title, text }, n) => ingest!.upload(1, `${n}-${title}`, text)),
    );
    for (const id of ids) await ingest!.until(1, id, "embedded");
    const { vectorsWork } = await waitFor(
      async () => {
        const state = await ingest!.client.request(getIndexState, {}, { scope: libraryScope });
        return state.vectorsWork === null ? null : state;
      },
      { timeoutMs: 60_000, what: "the self-check" },
    );
    const { embedding } = await ingest!.client.request(getIndexState, {}, { scope: libraryScope });
    expect(embedding).toMatchObject({ running: 0, waiting: 0, reason: null });
    expect(embedding.passagesDone).toBe(embedding.passagesTotal);
    expect(embedding.passagesDone).toBeGreaterThan(59);
    return vectorsWork!;
  };
  const question = "When did the last keeper of the lighthouse leave the tower?";

  it("passes vectors that find their own chunks", async () => {
    ingest = await startTestIngest();
    expect(await checked()).toBe(true);
    expect((await ingest.search(1, question)).dense).toBe(true);
  }, 120_000);

  it("leaves useless vectors out of search", async () => {
    ingest = await startTestIngest();
    ingest.fake.behave({ isEmbeddingNoise: true });
    expect(await checked()).toBe(false);
    const found = await ingest.search(1, question);
    expect(found.dense).toBe(false);
    expect(textsOf(found.passages).join()).toContain("1988");
  }, 120_000);

  const models = findBesideCheckout("models");
  it(`passes the real built-in embedder${models === null ? " (not run: ../shared/models is missing)" : ""}`, async () => {
    if (models === null) return;
    ingest = await startTestIngest({
      embedder: false,
      environment: { CARREL_MODELS_DIR: models },
    });
    await ingest.changeSettings({});
    expect(await checked()).toBe(true);
    const found = await ingest.search(1, question, { mode: "dense" });
    expect(found.dense).toBe(true);
    expect(textsOf(found.passages).join()).toContain("1988");
  }, 120_000); // loads the real model and embeds with it
});
