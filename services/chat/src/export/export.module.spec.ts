import type { SourceWire } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { cutPage, type ExportRow } from "./export.module.ts";

/** Written as six bytes in JSON. */
const longest = (length: number): string => "\u0001".repeat(length);

const turn = (answer: string, sources: Partial<SourceWire>[]): ExportRow => ({
  id: 1,
  question: "Why?",
  answer,
  reasoning: null,
  sources: sources as SourceWire[],
  created_at: new Date(0),
  mode: "chat",
  feedback: null,
  feedback_reason: null,
});

describe("cutPage", () => {
  it("names the innermost heading of each source", () => {
    const { turns } = cutPage(
      [turn("Because.", [{ title: "a", headingPath: ["1", "1.2"] }])],
      null,
      0,
    );
    expect(turns[0]!.sources).toEqual([{ title: "a", page: null, heading: "1.2" }]);
  });

  it("fits a turn with the longest answer and headings into a reply of 1 MB", () => {
    const sources = Array.from({ length: 200 }, () => ({
      title: "t".repeat(300),
      headingPath: [longest(300)],
    }));
    const page = cutPage([turn(longest(150_000), sources)], null, 0);
    expect(page.nextFrom).toBe(100_000);
    expect(page.turns[0]!.sources).toHaveLength(200);
    expect(page.turns[0]!.sources[0]).toHaveProperty("heading");
    expect(page.turns[0]!.sources[199]).not.toHaveProperty("heading");
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(1_000_000);
  });
});
