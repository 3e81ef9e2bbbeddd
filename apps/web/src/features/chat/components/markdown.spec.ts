import { describe, expect, it } from "@jest/globals";
import { limitNesting } from "./markdown.tsx";

describe("limitNesting", () => {
  it("leaves ordinary text unchanged", () => {
    for (const text of [
      "",
      "One\n> > - two\n1. three",
      "- ".repeat(39) + "x",
      `${" ".repeat(90)}x`,
      "-".repeat(80),
      "* ".repeat(3) + "x",
      "| - | - |",
    ])
      expect(limitNesting(text)).toBe(text);
  });
  it("escapes the first marker that is too deep", () => {
    expect(limitNesting(">".repeat(50))).toBe(`${">".repeat(40)}\\${">".repeat(10)}`);
    expect(limitNesting("> ".repeat(50))).toBe(`${"> ".repeat(40)}\\${"> ".repeat(10)}`);
    expect(limitNesting(`a\n${"1. ".repeat(50)}x\nb`)).toBe(
      `a\n${"1. ".repeat(40)}1\\. ${"1. ".repeat(9)}x\nb`,
    );
  });
  it("reduces excessive indentation", () =>
    expect(limitNesting(`${" ".repeat(900)}- x`)).toBe(`${" ".repeat(100)}- x`));
});
