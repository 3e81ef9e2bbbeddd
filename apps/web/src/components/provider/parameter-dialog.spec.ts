import { describe, expect, it } from "@jest/globals";
import "../../../testing/texts.ts";
import { fieldsOf, isInvalid, parametersOf } from "./parameter-dialog.tsx";

describe("the form of answer settings", () => {
  it("leaves empty fields to the workspace, and understands decimal commas", () => {
    const typed = { ...fieldsOf({}), maxTokens: " 500 ", topP: "0,9", effort: "high" };
    expect(parametersOf(typed)).toEqual({
      systemPrompt: null,
      maxTokens: 500,
      temperature: null,
      topP: 0.9,
      effort: "high",
    });
  });
  it.each([
    ["maxTokens", "15", true],
    ["maxTokens", "16", false],
    ["maxTokens", "99.5", true],
    ["maxTokens", "many", true],
    ["temperature", "0", false],
    ["temperature", "2.1", true],
    ["topP", "0", true],
    ["topP", "1", false],
    ["topP", "", false],
  ] as const)("refuses what no model takes: %s %j", (name, typed, expected) =>
    expect(isInvalid(name, typed)).toBe(expected),
  );
});
