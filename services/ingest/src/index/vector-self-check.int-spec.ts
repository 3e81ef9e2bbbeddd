import { getIndexState, type Out } from "@carrel/contracts";
import { findBesideCheckout, waitFor } from "@carrel/testing";
import { afterEach, describe, expect, it } from "@jest/globals";
import { queryModeDocuments, queryModeSets } from "../../../../libs/retrieval/test/query-mode.ts";
import { libraryScope, startTestIngest, textsOf, type TestIngest } from "../../test/test-ingest.ts";

/** Texts of three sentences in each language, each with its own words. */
const english = Array.from({ length: 36 }, (_, n) => {
  const [ship, goods, master] = ["ship", "cargo", "captain"].map((word) => `${word}${n}`);
  return [
    `In winter ${ship} came into the port, and ${goods} was brought to the store.`,
    `The owner of the store wrote that ${ship} was led by ${master}, who lives at the lighthouse.`,
    `In spring ${master} led ${ship} to the north again, and ${goods} was sold.`,
  ].join(" ");
});
const russian = Array.from({ length: 36 }, (_, n) => {
  const [ship, goods, master] = ["корабль", "груз", "капитан"].map((word) => `${word}${n}`);
  return [
    `Зимой ${ship} пришёл в порт, и ${goods} перенесли на склад.`,
    `Хозяин склада записал, что ${ship} привёл ${master}, который живёт у маяка.`,
    `Весной ${master} снова повёл ${ship} на север, и ${goods} продали.`,
  ].join(" ");
});

describe("the self-check of an index", () => {
  let ingest: TestIngest | undefined;
  afterEach(async () => {
    await ingest?.stop();
    ingest = undefined;
  });

  type State = Out<typeof getIndexState>;
  const stateWhen = (is: (state: State) => boolean): Promise<State> =>
    waitFor(
      async () => {
        const state = await ingest!.client.request(getIndexState, {}, { scope: libraryScope });
        return is(state) ? state : null;
      },
      { timeoutMs: 60_000, what: "the self-check" },
    );
  const embed = async (texts: { title: string; text: string }[]): Promise<void> => {
    const ids = await Promise.all(
      texts.map(({ title, text }, n) => ingest!.upload(1, `${n}-${title}`, text)),
    );
    for (const id of ids) await ingest!.until(1, id, "embedded");
  };
  const untitled = (texts: string[]): { title: string; text: string }[] =>
    texts.map((text, n) => ({ title: `${n}.txt`, text }));

  it("leaves out only the languages whose vectors mean nothing", async () => {
    ingest = await startTestIngest();
    ingest.fake.behave({ isEmbeddingNoise: (text) => /\p{Script=Cyrillic}/u.test(text) });
    await embed(untitled(english));
    expect(await stateWhen(({ vectorsWork }) => vectorsWork !== null)).toMatchObject({
      vectorsWork: true,
      languagesWithoutVectors: [],
      multilingualModel: null,
    });
    await embed(untitled(russian));
    // A newly added language is checked, too.
    const { vectorsWork, embedding } = await stateWhen(
      ({ languagesWithoutVectors }) => languagesWithoutVectors.join() === "ru",
    );
    expect(vectorsWork).toBe(true);
    expect(embedding).toMatchObject({ running: 0, waiting: 0, reason: null });
    expect(embedding.passagesDone).toBe(embedding.passagesTotal);
    expect((await ingest.search(1, "Who led ship17 into the port?")).dense).toBe(true);
    for (const n of [3, 17, 30]) {
      const asked = `Кто привёл корабль${n} в порт?`;
      const found = await ingest.search(1, asked);
      expect([found.dense, textsOf(found.passages)[0]]).toEqual([false, russian[n]]);
    }
  }, 120_000);

  it("switches vectors off if no language passes", async () => {
    ingest = await startTestIngest();
    ingest.fake.behave({ isEmbeddingNoise: () => true });
    await embed(untitled(english));
    expect(await stateWhen(({ vectorsWork }) => vectorsWork !== null)).toMatchObject({
      vectorsWork: false,
      languagesWithoutVectors: ["en"],
    });
    const found = await ingest.search(1, "Who led ship17 into the port?");
    expect([found.dense, textsOf(found.passages)[0]]).toEqual([false, english[17]]);
  }, 120_000);

  const models = findBesideCheckout("models");
  it(`passes the real built-in embedder in English only${models === null ? " (not run: ../shared/models is missing)" : ""}`, async () => {
    if (models === null) return;
    ingest = await startTestIngest({
      embedder: false,
      environment: { CARREL_MODELS_DIR: models },
    });
    await ingest.changeSettings({});
    await embed(untitled(russian.slice(0, 3)));
    expect(await stateWhen(({ vectorsWork }) => vectorsWork !== null)).toMatchObject({
      vectorsWork: false,
      languagesWithoutVectors: ["ru"],
      multilingualModel: { model: "MintplexLabs/multilingual-e5-small", size: "118 MB" },
    });
    await embed((await Promise.all(queryModeSets.slice(0, 4).map(queryModeDocuments))).flat());
    await stateWhen(({ vectorsWork }) => vectorsWork === true);
    const question = "When did the last keeper of the lighthouse leave the tower?";
    const found = await ingest.search(1, question, { mode: "dense" });
    expect(found.dense).toBe(true);
    expect(textsOf(found.passages).join()).toContain("1988");
  }, 120_000); // loads the real model and embeds with it
});
