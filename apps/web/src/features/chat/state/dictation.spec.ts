import { describe, expect, it } from "@jest/globals";
import { followField, insertWords } from "./dictation.ts";

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

describe("followField", () => {
  const type = (value: string, start = value.length, end = start) => ({
    value,
    selectionStart: start,
    selectionEnd: end,
  });
  it("replaces the selection, and then what it inserted itself", () => {
    const field = type("What is it?", 0, 4);
    const follow = followField(field);
    Object.assign(field, type(follow("Whose").text, 5));
    expect(follow("Who")).toEqual({ text: "Who is it?", end: 3 });
  });
  it("keeps text typed in the meantime, and continues at the cursor", () => {
    const field = type("one");
    const follow = followField(field);
    Object.assign(field, type("one and"));
    expect(follow("two")).toEqual({ text: "one and two", end: 11 });
    Object.assign(field, type("one and two!"));
    expect(follow("two")).toEqual({ text: "one and two!", end: 12 });
    expect(follow("two three")).toEqual({ text: "one and two! three", end: 18 });
  });
  it("doesn't bring back a message that was sent", () => {
    const field = type("Hello");
    const follow = followField(field);
    Object.assign(field, type(follow("there").text));
    Object.assign(field, type(""));
    expect(follow("there my friend")).toEqual({ text: "my friend", end: 9 });
  });
});
