import { describe, expect, it } from "@jest/globals";
import { TermNumbers } from "./term-numbers.ts";

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
