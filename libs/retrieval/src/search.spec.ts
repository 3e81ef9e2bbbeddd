import { describe, expect, it } from "@jest/globals";
import { minReach, searchCandidates } from "./search.ts";

/** Full-text and vector indexes with this many hits, each chunk in both. */
const search = (
  hits: { text: number; vectors: number | null },
  topN: number,
  question = "crane",
  previousQuestion: string | null = null,
) =>
  searchCandidates(
    {
      text: {
        statistics: ({ terms }) =>
          Promise.resolve({
            documentCount: 1_000,
            frequencies: new Map(terms.map((term) => [term, 1])),
            averageLength: 2,
          }),
        search: ({ limit }) =>
          Promise.resolve(
            Array.from({ length: Math.min(hits.text, limit) }, (_, n) => ({
              id: String(n),
              score: 1,
              terms: ["crane"],
            })),
          ),
      },
      vectors: {
        search: ({ limit }) =>
          Promise.resolve(
            hits.vectors === null
              ? null
              : Array.from({ length: Math.min(hits.vectors, limit) }, (_, n) => ({
                  id: String(n),
                  score: 1,
                })),
          ),
      },
    },
    { workspaceId: 1, question, previousQuestion, vector: new Float32Array([1]), topN },
  );

describe("candidates", () => {
  it("are exhausted once neither index fills its limit, however many they have in common", async () => {
    for (const [hits, topN, isExhausted] of [
      [{ text: 299, vectors: 299 }, 1, true],
      [{ text: 300, vectors: 10 }, 1, false],
      [{ text: 10, vectors: 300 }, minReach, false],
      [{ text: 300, vectors: 300 }, minReach + 1, true],
      [{ text: 0, vectors: null }, 1, true],
    ] as const)
      expect({ hits, topN, isExhausted: (await search(hits, topN)).isExhausted }).toEqual({
        hits,
        topN,
        isExhausted,
      });
  });
  it("take the words of the previous question at half their weight, whatever line they are on", async () => {
    const weightsOf = async (question: string, previousQuestion: string | null) =>
      new Map(
        (await search({ text: 1, vectors: null }, 1, question, previousQuestion)).words.map(
          ({ asked, idf }) => [asked[0], idf],
        ),
      );
    const weights = await weightsOf("rope\ncrane", "anchor\nbuoy");
    const alone = await weightsOf("anchor\nbuoy", null);
    expect(weights.get("anchor")).toBe(alone.get("anchor")! / 2);
    expect(weights.get("buoy")).toBe(alone.get("buoy")! / 2);
  });
});
