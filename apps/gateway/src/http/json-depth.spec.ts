import { expect, it } from "@jest/globals";
import { isNestedDeeper } from "./json-depth.ts";

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

it.each([
  ["nothing", "", false],
  ["a number", "7", false],
  ["as deep as may be", nested(5), false],
  ["one deeper", nested(6), true],
  ["objects and lists", '{"a":[{"b":[{"c":[1]}]}]}', true],
  ["many beside each other", `[${"[[1]],".repeat(1_000)}[1]]`, false],
  ["brackets in a text", `["${"[".repeat(50)}"]`, false],
  ["brackets behind an escaped quote", `["a\\"${"[".repeat(50)}"]`, false],
  ["brackets behind an escaped backslash and the end of the text", `["a\\\\",${nested(5)}]`, true],
  ["a text without an end", '["abc[[[[[[[[', false],
])("of %s", (_what, text, deeper) => expect(isNestedDeeper(text, 5)).toBe(deeper));

it("stays fast for long texts", () => {
  const started = process.threadCpuUsage();
  expect(isNestedDeeper(nested(16_000_000), 100)).toBe(true);
  expect(isNestedDeeper(`{"a":"${'\\"'.repeat(4_000_000)}${"\\\\".repeat(4_000_000)}"}`, 100)).toBe(
    false,
  );
  // Parsing the first one takes half a minute.
  expect(process.threadCpuUsage(started).user).toBeLessThan(10_000_000);
});
