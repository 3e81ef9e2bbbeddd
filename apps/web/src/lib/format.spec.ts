import { getDocumentText, listTurns, updateThread } from "@carrel/contracts";
import { afterEach, describe, expect, it } from "@jest/globals";
import { addressOf } from "./address.ts";
import { fileTag } from "./file-tag.ts";
import {
  formatBytes,
  formatDuration,
  formatNumber,
  formatPercent,
  formatSeconds,
  formatTime,
  joinFacts,
  joinNames,
  joinPhrases,
  sentenceSpace,
  shortenName,
} from "./format.ts";

describe("formatting", () => {
  it("shortens names to 25 characters as people count them", () => {
    expect(shortenName("x".repeat(25))).toBe("x".repeat(25));
    expect(shortenName("x".repeat(26))).toBe(`${"x".repeat(25)}…`);
    expect(shortenName("Balancing the risers of block seven")).toBe("Balancing the risers of…");
    expect(shortenName("Which radiators have to be replaced")).toBe("Which radiators have to…");
    expect(shortenName("👩‍👩‍👧".repeat(26))).toBe(`${"👩‍👩‍👧".repeat(25)}…`);
  });
  it("names the day of a time that isn't today", () => {
    const now = new Date(2026, 0, 15, 18, 0).getTime();
    expect(formatTime(new Date(2026, 0, 15, 14, 32).getTime(), now)).toMatch(/^2:32\sPM$/);
    expect(formatTime(new Date(2026, 0, 12, 14, 32).getTime(), now)).toMatch(/^Jan 12, 2:32\sPM$/);
    expect(formatTime(new Date(2025, 11, 31, 9, 5).getTime(), now)).toMatch(
      /^Dec 31, 2025, 9:05\sAM$/,
    );
  });
  it("formats sizes, percentages and tiles", () => {
    expect(formatBytes(8_400_000)).toBe("8.4 MB");
    expect(formatBytes(999)).toBe("999 bytes");
    expect(formatPercent(0.999)).toBe("99%");
    expect(formatPercent(0.29)).toBe("29%");
    expect([formatSeconds(6.2), formatSeconds(0.017)]).toEqual(["6.2s", "17ms"]);
    expect([72_000, 60_000, 3_000].map(formatDuration)).toEqual(["1m 12s", "1m", "3s"]);
    expect(fileTag("a.docx")).toBe("DOC");
    expect(fileTag("Night tariff", "text/html")).toBe("WEB");
    expect(fileTag("Minutes.docx", "text/plain", "text")).toBe("TXT");
    expect(fileTag("Minutes.png", "text/plain", "text")).toBe("TXT");
    expect(fileTag("Minutes.avi", "text/plain", "text")).toBe("TXT");
    expect(fileTag("Minutes.rtf", "application/rtf", "word")).toBe("RTF");
    expect(fileTag("Plan.txt", "application/pdf", "pdf")).toBe("PDF");
    expect(fileTag("Scan.docx", "application/pdf", "pdf")).toBe("PDF");
    expect(fileTag("Prices.csv", "text/csv", "sheet")).toBe("CSV");
  });
});
describe("formatting in other languages", () => {
  const show = (lang: string, dir = "ltr"): void => {
    Object.assign(document.documentElement, { lang, dir });
  };
  afterEach(() => show(""));

  it("writes times, hours and thousands as they do", () => {
    const now = new Date(2026, 0, 15, 18, 0).getTime();
    const night = new Date(2026, 0, 15, 1, 38).getTime();
    show("de");
    expect([formatSeconds(6.2), formatDuration(72_000)]).toEqual(["6,2 Sek.", "1 Min., 12 Sek."]);
    expect(formatTime(night, now)).toBe("01:38");
    show("it");
    expect([formatSeconds(6.2), formatNumber(1830)]).toEqual(["6,2 s", "1.830"]);
    show("es");
    expect([formatTime(night, now), formatNumber(1830)]).toEqual(["1:38", "1.830"]);
  });
  it("joins texts with their comma, and without spaces where they have none", () => {
    const parts = ["a", null, "b"];
    const joined = () => [joinNames(parts), joinPhrases(parts), `.${sentenceSpace()}.`];
    expect(joined()).toEqual(["a, b", "a, b", ". ."]);
    show("zh-TW");
    expect(joined()).toEqual(["a、b", "a，b", ".."]);
    show("ar");
    expect(joined()).toEqual(["a، b", "a، b", ". ."]);
  });
  it("keeps texts apart where one is written from right to left", () => {
    expect(joinFacts(["Riser", "", "4.3"])).toBe("Riser · 4.3");
    expect(joinFacts(["تقرير", "4.3"])).toBe("\u2068تقرير\u2069 · \u20684.3\u2069");
    show("ar", "rtl");
    expect(joinFacts(["Riser 4.3"])).toBe("\u200f\u2068Riser 4.3\u2069");
    expect(joinFacts([null])).toBe("");
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
