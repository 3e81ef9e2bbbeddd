import { describe, expect, it } from "@jest/globals";
import { TermLists } from "./term-lists.ts";

describe("lists of terms", () => {
  it("give back what was added, whatever the size of the vocabulary", () => {
    const lists = new TermLists();
    const added = Array.from({ length: 300 }, (_, row) =>
      Array.from({ length: 1 + ((row * 7) % 400) }, (__, n) => `term${(n * (row + 1)) % 20_000}`),
    );
    added.push(Array.from({ length: 40_000 }, (_, n) => `many${n}`));
    for (const terms of added) lists.add(Buffer.from(terms.join(" ")));
    expect(lists.size).toBe(301);
    expect(lists.vocabulary).toBe(new Set(added.flat()).size);
    expect(lists.length).toBe(added.flat().length);
    for (const [row, terms] of added.entries()) {
      expect(lists.lengthOf(row)).toBe(terms.length);
      expect(lists.termsOf(row)).toEqual(terms);
      const numbers = lists.numbersOf(row).slice(0, terms.length);
      expect([...numbers]).toEqual(terms.map((term) => lists.numberOf(term)));
    }
    expect(lists.numberOf("unknown")).toBeUndefined();
  });

  it("take little memory", () => {
    const lists = new TermLists();
    const terms = Array.from({ length: 150 }, (_, n) => `term${n}`);
    for (let row = 0; row < 1_000; row++) lists.add(Buffer.from(terms.join(" ")));
    expect(lists.bytes).toBeLessThan(1_000 * 150 * 2);
  });
});
