import { describe, expect, it } from "@jest/globals";
import { addressOf } from "./address.ts";
import { getDocumentText, listTurns, updateThread } from "@carrel/contracts";
import { fileTag, formatBytes, formatPercent, shortenName } from "./format.ts";

describe("formatting", () => {
  it("shortens names to 25 characters as people count them", () => {
    expect(shortenName("x".repeat(25))).toBe("x".repeat(25));
    expect(shortenName("x".repeat(26))).toBe(`${"x".repeat(25)}…`);
    expect(shortenName("👩‍👩‍👧".repeat(26))).toBe(`${"👩‍👩‍👧".repeat(25)}…`);
  });
  it("formats sizes, percentages and tiles", () => {
    expect(formatBytes(8_400_000)).toBe("8.4\u00a0MB");
    expect(formatBytes(999)).toBe("999\u00a0B");
    expect(formatPercent(0.999)).toBe("99\u00a0%");
    expect(fileTag("a.docx")).toBe("DOC");
    expect(fileTag("Night tariff", "text/html")).toBe("WEB");
  });
});
describe("addressOf", () => {
  it("puts parameters in the path and the rest where the method expects it", () => {
    expect(addressOf(listTurns, { slug: "a b", thread: "t", limit: 50 }).url).toBe(
      "/api/workspace/a%20b/turns?thread=t&limit=50",
    );
    expect(addressOf(updateThread, { slug: "a", threadSlug: "t", name: "n" })).toEqual({
      url: "/api/workspace/a/thread/t/update",
      rest: { name: "n" },
    });
    expect(
      addressOf(getDocumentText, { slug: "a", documentId: "d", start: 0, end: undefined }).url,
    ).toBe("/api/workspace/a/documents/d/text?start=0");
  });
});
