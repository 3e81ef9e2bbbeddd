import { describe, expect, it } from "@jest/globals";
import { countTokens } from "gpt-tokenizer/encoding/cl100k_base";
import { prepareText } from "./worker.ts";

const countOf = (text: string): number =>
  prepareText(
    {
      text,
      headings: [],
      pages: [],
      mime: "text/plain",
      docSource: "",
    },
    "log.txt",
    null,
  ).tokenCount;
const log = (lines: number): string =>
  Array.from(
    { length: lines },
    (_, n) => `Ship ${n * 37} left the harbour at noon.${n % 9 === 0 ? " 積荷は米と塩。" : ""}`,
  ).join("\n");

describe("the number of tokens", () => {
  it("is exact for a short text", () => {
    expect(countOf(log(50))).toBe(countTokens(log(50)));
  });

  it("is estimated for a long one", () => {
    expect(Math.abs(countOf(log(2_000)) / countTokens(log(2_000)) - 1)).toBeLessThan(0.05);
  });
});
