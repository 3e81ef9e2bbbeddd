import { describe, expect, it } from "@jest/globals";
import { analyseQuestion } from "./analyse.ts";
import { chunkTerms } from "./chunk-terms.ts";
import { questionParts, weighQuestion } from "./question.ts";
import { rankText } from "./text-rank.ts";

/** Each word of the passages is in this many of a thousand chunks. */
const frequency = 20;
const scoresOf = (question: string, passages: string[]): number[] => {
  const hits = passages.map((text, place) => ({
    id: `${place}`,
    score: 1,
    terms: chunkTerms({ text, title: "", headingPath: [], language: "en" }),
  }));
  const statistics = {
    documentCount: 1_000,
    averageLength: 40,
    frequencies: new Map(hits.flatMap(({ terms }) => terms).map((term) => [term, frequency])),
  };
  const words = weighQuestion(analyseQuestion(question, { languages: ["en"] }), statistics);
  const ranked = rankText(hits, words, statistics, { parts: questionParts(question) }).hits;
  return passages.map((_, place) => ranked.find(({ id }) => id === `${place}`)?.score ?? 0);
};
const threshold = 0.25;
const answer = "In winter the ferry to the island leaves at ten and its crew stays overnight.";

describe("passageScorer", () => {
  it("gives a passage that covers the question 1, and less the less it covers", () => {
    const [all, half] = scoresOf("Does the ferry leave the island in winter?", [
      answer,
      "The ferry is painted in winter.",
    ]);
    expect(all).toBeCloseTo(1);
    expect(half).toBeLessThan(all!);
  });

  it("isn't lowered below the threshold by words that no document has", () => {
    const plain = "When does the ferry leave for the island?";
    const [score] = scoresOf(
      `${plain} Kindly furnish elaborate bibliographic annotations, footnotes and diagrams.`,
      [answer],
    );
    expect(scoresOf(plain, [answer])[0]).toBeGreaterThan(0.5);
    expect(score).toBeGreaterThan(0.5);
  });

  it("scores the best covered clause, unless it is a small part of the question", () => {
    const introduction =
      "I prepare a talk for colleagues about Zanzibar, Timbuktu and Ouagadougou. ";
    const [large, small] = [
      scoresOf(`${introduction}Does the ferry leave the island in winter?`, [answer])[0]!,
      scoresOf("Crew: which Zanzibar dhow captains of Timbuktu prefer Ouagadougou nutmeg?", [
        answer,
      ])[0]!,
    ];
    expect(large).toBeGreaterThan(0.9);
    expect(small).toBeLessThan(0.6);
  });

  it("relates a passage to a long question that it covers little of, beyond chance", () => {
    const others = Array.from({ length: 20 }, (_, n) => `matter${n}`);
    const [related, byChance] = scoresOf(`ferry island winter crew ${others.join(" ")}`, [
      answer,
      "A crew repaired the roof.",
      // Far apart, so that none covers much.
      ...others.map((word) => `Something else is about ${word}.`),
    ]);
    expect(related).toBeGreaterThan(threshold);
    expect(byChance).toBeLessThan(threshold);
  });

  it("leaves out a passage that shares one word with a question about something else", () => {
    const [score] = scoresOf("What is the capital of France and its largest museum?", [
      "The company raised capital from its founders.",
      "A museum in France.",
    ]);
    expect(score).toBeLessThan(threshold);
  });
});

describe("questionParts", () => {
  it("splits sentences and clauses, but not names and numbers", () => {
    const question = "Hi! We use Node.js 24.1, which version is best?\nThanks: 请问，多少钱？";
    expect(
      questionParts(question).map(({ start, end }) => question.slice(start, end).trim()),
    ).toEqual(["Hi", "We use Node.js 24.1", "which version is best", "Thanks", "请问", "多少钱"]);
    expect(questionParts("")).toEqual([]);
    expect(questionParts("?!")).toEqual([]);
  });
});
