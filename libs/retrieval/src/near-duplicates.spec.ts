import { describe, expect, it } from "@jest/globals";
import { NearDuplicates } from "./select-passages.ts";
import { termNumbers } from "./term-numbers.ts";

const numbersOf = (text: string): Int32Array =>
  Int32Array.from(text.split(" "), (term) => termNumbers.of(term));
const text =
  "the pump of the heating stops when the water in the tank is warmer than sixty degrees and starts again at fifty";
const sentence = numbersOf(text);

describe("NearDuplicates", () => {
  it("recognises equal content by its hash and nearly equal content by its term sequences", () => {
    const taken = new NearDuplicates();
    taken.add("a", { hash: "1", terms: sentence });
    expect(taken.find({ hash: "1", terms: null })).toBe("a");
    expect(taken.find({ hash: "2", terms: numbersOf(`${text} celsius`) })).toBe("a");
    expect(taken.find({ hash: "3", terms: numbersOf(text.replace("the", "march")) })).toBe("a");
  });

  it("keeps apart texts that share words in a different order, and short texts", () => {
    const taken = new NearDuplicates();
    taken.add("a", { hash: "1", terms: sentence });
    expect(taken.find({ hash: "2", terms: sentence.toReversed() })).toBeNull();
    expect(taken.find({ hash: "3", terms: sentence.slice(0, 6) })).toBeNull();
    expect(taken.find({ hash: "4", terms: null })).toBeNull();
    taken.add("b", { hash: "5", terms: null });
    expect(taken.find({ hash: "5", terms: sentence.slice(0, 6) })).toBe("b");
  });
});
