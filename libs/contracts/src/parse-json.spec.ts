import { describe, expect, it } from "@jest/globals";
import { parseJson } from "./parse-json.ts";

describe("parseJson", () => {
  it("reads values that are as deep as people write them", () => {
    const deep = `${"[".repeat(200)}${"]".repeat(200)}`;
    expect(JSON.stringify(parseJson(deep))).toBe(deep);
    // Brackets within texts, and beside each other.
    for (const value of ['"[['.repeat(300), Array.from({ length: 300 }, () => [{}]), "\\\\["])
      expect(parseJson(JSON.stringify(value))).toEqual(value);
  });

  it("refuses what nothing else could handle", () => {
    for (const bad of ["[".repeat(201), '{"a":'.repeat(5_000), '["\\""'.repeat(300), "{", ""])
      expect(() => parseJson(bad)).toThrow(SyntaxError);
  });
});
