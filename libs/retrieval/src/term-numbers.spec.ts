import { describe, expect, it } from "@jest/globals";
import { TermNumbers } from "./term-numbers.ts";

describe("TermNumbers", () => {
  it("numbers terms, and each chunk only once", () => {
    const numbers = new TermNumbers();
    const terms = ["lamp", "§en", "|", "the", "lamp", "burns"];
    const { context, body } = numbers.read(terms);
    expect(
      [[...context], [...body]].map((part) => part.map((number) => numbers.nameOf(number))),
    ).toEqual([
      ["lamp", "§en"],
      ["the", "lamp", "burns"],
    ]);
    expect(numbers.read(terms)).toBe(numbers.read(terms));
    expect([numbers.size, numbers.find("lamp"), numbers.find("oil")]).toEqual([
      4,
      numbers.of("lamp"),
      undefined,
    ]);
  });

  it("lends marks for all terms, without those of the last use", () => {
    const numbers = new TermNumbers();
    const oil = numbers.of("oil");
    const marks = numbers.acquire();
    marks.set(oil, 7);
    expect(marks.get(oil)).toBe(7);
    numbers.release(marks);
    expect(numbers.acquire()).toBe(marks);
    expect(marks.get(oil)).toBe(0);
    numbers.release(marks);
    for (let n = 0; n < 50; n++) numbers.of(`term${n}`);
    const larger = numbers.acquire();
    expect(larger.size).toBeGreaterThanOrEqual(numbers.size);
    const last = numbers.of("term49");
    larger.set(last, 3);
    expect([larger.get(last - 1), larger.get(last)]).toEqual([0, 3]);
  });

  it("starts over when there are too many terms", () => {
    const numbers = new TermNumbers();
    for (let n = 0; n < 50; n++) numbers.of(`term${n}`);
    const terms = ["|", "a", "b"];
    const before = numbers.read(terms);
    numbers.shrink(60);
    expect(numbers.size).toBe(52);
    numbers.shrink(51);
    expect(numbers.size).toBe(0);
    const after = numbers.read(terms);
    expect(after).not.toBe(before);
    expect([...after.body].map((number) => numbers.nameOf(number))).toEqual(["a", "b"]);
  });
});

describe("TermFamilies", () => {
  it.each([
    ["derived words", "probation", "probationary"],
    ["compounds", "kündigungsfrist", "frist"],
    ["Arabic plurals", "طالب", "طلاب"],
    ["Korean endings", "걸리", "걸린"],
  ])("finds %s", (_, one, other) => {
    const numbers = new TermNumbers();
    for (const term of ["lamp", "48213", one, "harbour", other]) numbers.of(term);
    const namesOf = (form: string): string[] =>
      numbers.relativesOf(form).map((number) => numbers.nameOf(number));
    expect(namesOf(one)).toContain(other);
    expect(namesOf(other)).toContain(one);
    expect(namesOf(one)).not.toContain("harbour");
  });

  it("finds a term added after many others, and none after starting over", () => {
    const numbers = new TermNumbers();
    for (let n = 0; n < 10_000; n++) numbers.of(`word${n}`);
    const late = numbers.of("probationary");
    expect(numbers.relativesOf("probation")).toEqual([late]);
    numbers.shrink(100);
    expect(numbers.relativesOf("probation")).toEqual([]);
  });
});
