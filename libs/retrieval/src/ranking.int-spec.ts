import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Collection, findBesideCheckout, normalisedGain } from "@carrel/testing";
import { openLanceStore, type VectorStore } from "@carrel/vector-store";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { queryModeDocuments, queryModeQuestions, queryModeSets } from "../test/query-mode.ts";
import { chunkTerms } from "./chunk-terms.ts";
import { detectLanguage } from "./language.ts";
import { rankCandidates, searchCandidates } from "./search.ts";
import { splitText } from "./split-text.ts";

let folder: string;
let store: VectorStore;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "carrel-ranking-"));
  store = await openLanceStore({ folder });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

/** nDCG@10 of full-text search, as measured by bench:retrieval, with and without feedback. */
async function measure(
  workspaceId: number,
  documents: { id: string; title: string; text: string }[],
  questions: { text: string; wanted: ReadonlySet<string> }[],
): Promise<{ with: number; without: number }> {
  const documentOf = new Map<string, string>();
  await store.text.upsert(
    documents.flatMap((document) => {
      const language = detectLanguage(document.text);
      return splitText({ text: document.text }).map((chunk) => {
        const id = randomUUID();
        documentOf.set(id, document.id);
        return {
          id,
          workspaceId,
          documentId: document.id,
          version: 1,
          terms: chunkTerms({
            text: document.text.slice(chunk.start, chunk.end),
            title: document.title,
            headingPath: chunk.headingPath,
            language,
          }),
        };
      });
    }),
  );
  await store.optimize();
  const sums = { with: 0, without: 0 };
  for (const { text, wanted } of questions) {
    const candidates = await searchCandidates(
      { text: store.text, vectors: null },
      { workspaceId, question: text, vector: null, topN: 10 },
    );
    for (const [name, expansion] of [
      ["with", true],
      ["without", false],
    ] as const) {
      sums[name] +=
        normalisedGain(
          [
            ...new Set(
              rankCandidates(candidates, undefined, { expansion }).chunks.map((chunk) =>
                documentOf.get(chunk.id)!,
              ),
            ),
          ],
          wanted,
        ) / questions.length;
    }
  }
  return sums;
}

describe("full-text ranking", () => {
  it("finds the one document that answers", async () => {
    const documents: { id: string; title: string; text: string }[] = [],
      questions: { text: string; wanted: ReadonlySet<string> }[] = [];
    // Asked in the documents' own words, from which everyday questions often differ.
    for (const set of queryModeSets.filter((each) => each !== "query-mode-everyday")) {
      for (const document of await queryModeDocuments(set))
        documents.push({ ...document, id: `${set}/${document.title}` });
      for (const { question, document } of await queryModeQuestions(set))
        if (document !== undefined)
          questions.push({ text: question, wanted: new Set([`${set}/${document}`]) });
    }
    expect((await measure(1, documents, questions)).with).toBeGreaterThan(0.97);
  });

  it("searches a page-long question for its most distinctive words, and nothing without words", async () => {
    const id = randomUUID();
    const texts = [
      "The turbine of the lower weir stands still for repair.",
      ...Array.from(
        { length: 30 },
        (_, n) => `Page ${n} of the minutes says what the board decided on item ${n}.`,
      ),
    ];
    await store.text.upsert(
      texts.map((text, n) => ({
        id: n === 0 ? id : randomUUID(),
        workspaceId: 3,
        documentId: `${n}`,
        version: 1,
        terms: chunkTerms({ text, title: "", headingPath: [], language: "en" }),
      })),
    );
    const search = (question: string) =>
      searchCandidates(
        { text: store.text, vectors: null },
        { workspaceId: 3, question, vector: null, topN: 4 },
      );
    const pasted = Array.from({ length: 2_500 }, (_, n) => `word${n}`).join(" ");
    for (const question of [`${pasted} turbine weir`, `turbine weir ${pasted}`]) {
      const candidates = await search(question);
      expect(candidates.words).toHaveLength(100);
      expect(rankCandidates(candidates).chunks.map((chunk) => chunk.id)).toEqual([id]);
    }
    for (const question of ["", "   ", "?!", "\u0000", "\ud800", "👩‍👩‍👧"])
      expect(rankCandidates(await search(question)).chunks).toEqual([]);
    // Only stop words: they are searched for because there is nothing else, but chunks don't
    // contain them.
    expect(rankCandidates(await search("of the and")).chunks).toEqual([]);
  });

  const data = findBesideCheckout("data");
  // The collections are not part of the repository and may be missing.
  it.each([
    { name: "cranfield", least: 0.42, gain: 0.02, workspaceId: 2 },
    // Many of its questions are a paragraph long.
    { name: "cisi", least: 0.39, gain: 0, workspaceId: 4 },
  ])(
    `ranks as measured on $name at the default chunks, and gains by its first hits${data === null ? " (not measured: ../shared/data is missing)" : ""}`,
    async ({ name, least, gain, workspaceId }) => {
      if (data === null) return;
      const collection = new Collection(path.join(data, name));
      const relevant = await collection.relevant();
      const questions = (await collection.questions()).flatMap(({ id, text }) =>
        relevant.get(id)?.size ? [{ text, wanted: relevant.get(id)! }] : [],
      );
      const gains = await measure(workspaceId, await collection.documents(), questions);
      expect(gains.with).toBeGreaterThanOrEqual(least);
      expect(gains.with).toBeGreaterThan(gains.without + gain);
    },
    120_000,
  );
});
