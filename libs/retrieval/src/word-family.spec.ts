import { describe, expect, it } from "@jest/globals";
import { findSynonyms } from "./question-occurrences.ts";
import { areRelated, findRelated } from "./word-family.ts";

describe("areRelated", () => {
  it.each([
    ["probation", "probationari"],
    ["italian", "itali"],
    ["frist", "kundigungsfrist"],
    ["طالب", "طلاب"],
    ["걸리", "걸린"],
  ])("%s and %s", (a, b) => expect([areRelated(a, b), areRelated(b, a)]).toEqual([true, true]));
  it.each([
    ["plan", "planet"],
    ["harbour", "harvest"],
    ["12345", "12346"],
    ["걸리", "거리"],
    ["كتاب", "قلم"],
  ])("not %s and %s", (a, b) =>
    expect([areRelated(a, b), areRelated(b, a)]).toEqual([false, false]),
  );

  it("finds related words in a vocabulary, without the forms themselves", () => {
    expect(
      findRelated(
        [{ forms: ["probation", "probat"] }, { forms: ["12"] }],
        ["probation", "probationari", "prob", "12"],
      ),
    ).toEqual([new Set(["probationari"]), new Set()]);
  });
});

describe("findSynonyms", () => {
  it("looks up everyday words by their stems", () => {
    expect([...findSynonyms(["begin", "beginning"])]).toContain("start");
    expect(findSynonyms(["lighthous"]).size).toBe(0);
  });
});
