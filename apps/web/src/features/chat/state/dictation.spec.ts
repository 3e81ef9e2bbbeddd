import { describe, expect, it } from "@jest/globals";
import { insertWords } from "./dictation.ts";

describe("insertWords", () => {
  it.each([
    ["", "", "Hello", "Hello", 5],
    ["What is", "", "this", "What is this", 12],
    ["What is ", "", "this", "What is this", 12],
    ["What is", "?", "this", "What is this?", 12],
    ["one", "three", "two", "one two three", 7],
    ["line\n", "\nlast", "second", "line\nsecond\nlast", 11],
  ])("between %j and %j", (before, after, words, text, end) =>
    expect(insertWords({ before, after }, words)).toEqual({ text, end }),
  );
});
