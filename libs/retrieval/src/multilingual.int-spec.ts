import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLanceStore, type VectorStore } from "@carrel/vector-store";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openLibrary } from "../test/query-mode.ts";

interface Collection {
  passages: string[];
  questions: { question: string; answer: number }[];
}
const { languages } = JSON.parse(
  await readFile(join(import.meta.dirname, "../test/multilingual.json"), "utf8"),
) as { languages: Record<string, Collection> };

describe("search in many languages through the LanceDB text index", () => {
  let folder: string, store: VectorStore;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "carrel-languages-"));
    store = await openLanceStore({ folder });
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  const rightFirst = async (workspaceId: number, collections: Collection[], asked: Collection) => {
    const library = await openLibrary(
      store,
      workspaceId,
      collections.flatMap(({ passages }) => passages.map((text) => ({ title: text, text }))),
    );
    const wrong: string[] = [];
    for (const { question, answer } of asked.questions) {
      const { passages } = await library.ask(question, { threshold: 0 });
      if (passages[0]?.text !== asked.passages[answer])
        wrong.push(`${question} → ${passages[0]?.text}`);
    }
    return wrong;
  };

  it.each(Object.keys(languages))(
    "%s: the right passage first for at least 4 of 5 questions",
    async (language) => {
      const collection = languages[language]!;
      const wrong = await rightFirst(
        100 + Object.keys(languages).indexOf(language),
        [collection],
        collection,
      );
      expect(wrong.length <= 1 ? [] : wrong).toEqual([]);
    },
  );

  it("with all languages in one workspace", async () => {
    const all = Object.values(languages);
    const library = await openLibrary(
      store,
      1,
      all.flatMap(({ passages }) => passages.map((text) => ({ title: text, text }))),
    );
    let right = 0;
    for (const { passages, questions } of all) {
      for (const { question, answer } of questions)
        if ((await library.ask(question, { threshold: 0 })).passages[0]?.text === passages[answer])
          right++;
    }
    expect(right).toBeGreaterThanOrEqual(all.length * 5 * 0.8);
  });
});
