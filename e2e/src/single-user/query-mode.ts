import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Instance } from "@carrel/testing";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { Api } from "../api.ts";

const folder = join(import.meta.dirname, "../../../libs/retrieval/test/query-mode");
const refusal = "There is no relevant information in this workspace to answer your query.";
interface Question {
  question: string;
  fact?: string;
}

/*
 * The fixture of libs/retrieval, through upload, parsing, indexing, search and answer of the
 * running product.
 */
export function testQueryMode(instance: () => Instance): void {
  describe("query mode over HTTP: 40 questions over 10 documents, no model, default threshold", () => {
    let api: Api;
    let slug: string;
    beforeAll(async () => {
      api = new Api(instance().url);
      ({ slug } = await api.makeWorkspace("Query mode"));
      for (const name of await readdir(join(folder, "documents"))) {
        const upload = await api.upload(
          "upload-and-embed",
          slug,
          name,
          await readFile(join(folder, "documents", name), "utf8"),
          "text/markdown",
        );
        expect([name, upload.json()]).toEqual([
          name,
          expect.objectContaining({ success: true, error: null }),
        ]);
      }
      await api.json("POST", `/workspace/${slug}/update`, { chatMode: "query" });
    });

    it("answers at least 17 of 20, 16 with the sentence that states the fact, and quotes no sentence for at least 17 of 20", async () => {
      const { questions } = JSON.parse(await readFile(join(folder, "questions.json"), "utf8")) as {
        questions: Question[];
      };
      const answerable = questions.filter(({ fact }) => fact !== undefined);
      expect([questions.length, answerable.length]).toEqual([40, 20]);
      let answered = 0,
        unanswered = 0,
        withFact = 0;
      for (const { question, fact } of questions) {
        // Each in its own thread, so that none is a follow-up.
        const { thread } = await api.json<{ thread: { slug: string } }>(
          "POST",
          `/workspace/${slug}/thread/new`,
        );
        const answer = await api.ask(slug, question, thread.slug);
        expect([question, answer.status]).toEqual([question, 200]);
        const isClosest = answer.frames.some(
          (frame) =>
            frame.type === "finalizeResponseStream" &&
            frame.metrics.answer_kind === "closest-passages",
        );
        const isAnswered = answer.text !== refusal && !isClosest;
        if (fact === undefined) unanswered += isAnswered ? 0 : 1;
        else {
          answered += isAnswered ? 1 : 0;
          withFact += isAnswered && answer.text.replace(/\s+/g, " ").includes(fact) ? 1 : 0;
        }
        if (!isAnswered) continue;
        // Every quote has its citation, and none is a heading.
        for (const paragraph of answer.text.split("\n\n"))
          expect(paragraph).toMatch(/^(?!#).+ \[\d+\]$/s);
      }
      expect(answered).toBeGreaterThanOrEqual(17);
      expect(unanswered).toBeGreaterThanOrEqual(17);
      expect(withFact).toBeGreaterThanOrEqual(16);
    }, 120_000); // forty questions, one after the other
  });
}
