import { expect, it } from "@jest/globals";
import { readThreadSlug } from "./read-question.ts";

it.each([
  [undefined, null],
  ["", null],
  ["null", null],
  ["undefined", null],
  [" ", null],
  ["a-b", "a-b"],
  [" a ", "a"],
  ["a\0b", "ab"],
  ["\ud800", "\ufffd"],
  ["x".repeat(999), "x".repeat(255)],
])("thread %j is %j", (given, slug) => {
  expect(readThreadSlug(given)).toBe(slug);
});
