import { createHash } from "node:crypto";
import { fakeEmbedding } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import { chanceRecall, recallByVectors, recallByWords, splitInHalves } from "./half-recall.ts";

describe("splitInHalves", () => {
  it("splits at the sentence end nearest to the middle", () => {
    expect(splitInHalves("One. Two is longer. Three.", "en")).toEqual([
      "One. Two is longer. ",
      "Three.",
    ]);
    expect(splitInHalves("潮汐表放在门边。灯塔归镇上所有。", "zh")).toEqual([
      "潮汐表放在门边。",
      "灯塔归镇上所有。",
    ]);
  });

  it("splits a single sentence between words", () => {
    expect(splitInHalves("one two three four", null)).toEqual(["one two ", "three four"]);
    expect(splitInHalves("", null)).toEqual(["", ""]);
  });
});

describe("recall of second halves", () => {
  it("tells vectors that mean something from noise, compared with words", () => {
    const halves = Array.from({ length: 40 }, (_, n) =>
      splitInHalves(
        `Ship${n} came into the port with captain${n}. The town paid captain${n}.`,
        "en",
      ),
    );
    const [first, second] = [0, 1].map((place) => halves.map((pair) => pair[place]!));
    const recallBy = (embed: (text: string) => Float32Array): number =>
      recallByVectors(first!.map(embed), second!.map(embed));
    const words = recallByWords(halves, "en");
    expect(words).toBeGreaterThan(0.9);
    expect(recallBy((text) => fakeEmbedding(text, 2_048))).toBeGreaterThan(0.8 * words);
    const noise = (text: string): Float32Array =>
      fakeEmbedding(createHash("sha256").update(text).digest("hex").match(/../g)!.join(" "));
    expect(recallBy(noise)).toBeLessThan(2 * chanceRecall(halves.length));
    // Identical vectors find nothing.
    expect(recallBy(() => fakeEmbedding("same"))).toBeCloseTo(1 / 40);
  });
});
