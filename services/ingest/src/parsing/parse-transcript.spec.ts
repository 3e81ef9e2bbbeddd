import { describe, expect, it } from "@jest/globals";
import { headingsOf } from "../../test/parse.ts";
import { clock, parseTranscript } from "./parse-transcript.ts";

/** Speech without pauses: a segment every five seconds. */
const speech = (count: number, text: (n: number) => string, from = 0) =>
  Array.from({ length: count }, (_, n) => ({
    start: from + n * 5,
    end: from + n * 5 + 5,
    text: text(n),
  }));

describe("transcripts", () => {
  it("get a time stamp as heading every minute, at the start of a segment", () => {
    const parsed = parseTranscript({ text: "", segments: speech(30, (n) => ` Sentence ${n}.`) });
    expect(headingsOf(parsed)).toEqual(["1 00:00:00", "1 00:01:00", "1 00:02:00"]);
    expect(parsed.text).toMatch(/^00:00:00\n\nSentence 0\. Sentence 1\. /);
    expect(parsed.text).toContain("Sentence 11.\n\n00:01:00\n\nSentence 12.");
    for (const { start, title } of parsed.headings)
      expect(parsed.text.slice(start, start + title.length + 2)).toBe(`${title}\n\n`);
  });

  it("finish a sentence before the next heading, if it ends within half a minute", () => {
    const one = parseTranscript({
      text: "",
      segments: speech(20, (n) => (n === 14 ? "and so on." : "and so on")),
    });
    expect(headingsOf(one)).toEqual(["1 00:00:00", "1 00:01:15"]);
    const endless = parseTranscript({ text: "", segments: speech(40, () => "and so on") });
    expect(headingsOf(endless)).toEqual(["1 00:00:00", "1 00:01:30", "1 00:03:00"]);
  });

  it("begin a section after a long silence and a paragraph after a pause", () => {
    const segments = [
      { start: 3.9, end: 6, text: "Good morning." },
      { start: 8.5, end: 12, text: "We begin." },
      { start: 12, end: 13, text: "Ready?" },
      { start: 3725.2, end: 3730, text: "Goodbye." },
    ];
    expect(parseTranscript({ text: "", segments }).text).toBe(
      "00:00:03\n\nGood morning.\n\nWe begin. Ready?\n\n01:02:05\n\nGoodbye.",
    );
  });

  it("break long speech into paragraphs at the ends of sentences", () => {
    const long = "A sentence of some length that goes on for a while until it ends here.";
    const { text } = parseTranscript({ text: "", segments: speech(11, () => long) });
    const [, first, second] = text.split("\n\n");
    expect([first!.length, second!.length].every((length) => length > 300 && length < 500)).toBe(
      true,
    );
    expect(first).toMatch(/ends here\.$/);
  });

  it("have no headings if the vendor returns no segments, and no gaps between Chinese words", () => {
    expect(parseTranscript({ text: " All of it. ", segments: [] })).toMatchObject({
      text: "All of it.",
      headings: [],
    });
    const segments = speech(2, (n) => (n === 0 ? "你好" : "世界"));
    expect(parseTranscript({ text: "", segments }).text).toBe("00:00:00\n\n你好世界");
    expect(parseTranscript({ text: "", segments: speech(3, () => " ") }).text).toBe("");
  });

  it("name times beyond a day", () => {
    expect([0, 59.99, 61, 3600, 360_000].map(clock)).toEqual([
      "00:00:00",
      "00:00:59",
      "00:01:01",
      "01:00:00",
      "100:00:00",
    ]);
  });
});
