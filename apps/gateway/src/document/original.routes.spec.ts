import { describe, expect, it } from "@jest/globals";
import { readRange } from "./original.routes.ts";

describe("readRange", () => {
  it.each([
    [undefined, 100, null],
    ["bytes=0-9", 100, { start: 0, end: 9 }],
    ["bytes=90-", 100, { start: 90, end: 99 }],
    ["bytes=50-500", 100, { start: 50, end: 99 }],
    ["bytes=-10", 100, { start: 90, end: 99 }],
    ["bytes=-500", 100, { start: 0, end: 99 }],
    ["bytes=100-", 100, "impossible"],
    ["bytes=-0", 100, "impossible"],
    ["bytes=0-", 0, "impossible"],
    ["bytes=9-5", 100, null],
    ["bytes=0-1,5-6", 100, null],
    ["items=0-1", 100, null],
    ["bytes=-", 100, null],
  ])("%s of %d", (header, bytes, range) => {
    expect(readRange(header, bytes)).toEqual(range);
  });
});
