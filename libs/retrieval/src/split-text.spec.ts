import { describe, expect, it } from "@jest/globals";
import { openingAt, splitText, type SplitOptions } from "./split-text.ts";

const random = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 4294967296;
};
const alphabet = [
  "a",
  "b",
  "Z",
  "9",
  " ",
  " ",
  " ",
  "\n",
  "\n\n",
  ". ",
  "? ",
  "é",
  "e\u0301",
  "ß",
  "я",
  "東",
  "京。",
  "한",
  "ש",
  "م",
  "\u{1f469}\u200d\u{1f467}",
  "\u{20000}",
  "\t",
  "\u00a0",
  "\r\n",
  "-",
  "…",
  "\u3000",
];

/** Contains no unpaired surrogates. */
const isWhole = (text: string): boolean => !/\p{Cs}/u.test(text);

function check(options: SplitOptions): void {
  const { text, size = 1000 } = options;
  const chunks = splitText(options);
  let covered = 0;
  for (const [ordinal, chunk] of chunks.entries()) {
    const piece = text.slice(chunk.start, chunk.end);
    expect(chunk.ordinal).toBe(ordinal);
    expect(piece.length).toBeGreaterThan(0);
    expect(piece.length).toBeLessThanOrEqual(Math.max(16, size) + 2);
    expect(isWhole(piece)).toBe(true);
    if (ordinal > 0) {
      const before = chunks[ordinal - 1]!;
      expect(chunk.start).toBeGreaterThanOrEqual(before.start);
      expect(chunk.end).toBeGreaterThan(before.end);
    }
    // Only white space may be left out between chunks.
    expect(text.slice(Math.min(covered, chunk.start), chunk.start).trim()).toBe("");
    covered = chunk.end;
  }
  expect(text.slice(covered).trim()).toBe("");
}

describe("splitText", () => {
  it("covers any text in order, within the size limit, without splitting characters", () => {
    const next = random(42);
    for (let round = 0; round < 250; round++) {
      const text = Array.from(
        { length: Math.floor(next() * 400) },
        () => alphabet[Math.floor(next() * alphabet.length)]!,
      ).join("");
      const headings = Array.from({ length: Math.floor(next() * 4) }, () => ({
        start: Math.floor(next() * (text.length + 3)),
        path: ["heading"],
      })).filter(({ start }) => isWhole(text.slice(0, start)) && isWhole(text.slice(start)));
      check({
        text,
        size: 16 + Math.floor(next() * 120),
        overlap: Math.floor(next() * 40),
        headings,
      });
    }
  });

  it("keeps paragraphs and sentences whole where they fit", () => {
    const paragraph = (n: number) =>
      `Paragraph ${n} speaks of its own matter. It has a second sentence, too.`;
    const text = Array.from({ length: 8 }, (_, n) => paragraph(n)).join("\n\n");
    for (const chunk of splitText({ text, size: 160, overlap: 0 }))
      expect(text.slice(chunk.start, chunk.end)).toMatch(/^Paragraph \d .*\.$/s);
    const long =
      "One sentence stands here. Another follows it at once! Is a third one coming? Surely, the fourth ends it.";
    for (const chunk of splitText({ text: long, size: 60, overlap: 0 }))
      expect(long.slice(chunk.start, chunk.end)).toMatch(/[.!?]$/);
  });

  it("never cuts a word that fits into a chunk", () => {
    const words = Array.from({ length: 500 }, (_, n) => `word${n}`);
    const text = words.join(" ");
    for (const chunk of splitText({ text, size: 100, overlap: 20 }))
      for (const word of text.slice(chunk.start, chunk.end).split(" "))
        expect(words).toContain(word);
  });

  it("repeats at most the overlap, in whole words, and nothing across a heading", () => {
    const text = Array.from({ length: 300 }, (_, n) => `word${n}`).join(" ");
    const chunks = splitText({ text, size: 200, overlap: 30 });
    for (const [n, chunk] of chunks.slice(1).entries()) {
      const repeated = chunks[n]!.end - chunk.start;
      expect(repeated).toBeGreaterThan(0);
      expect(repeated).toBeLessThanOrEqual(30);
    }
    const titled = `First part here.\n# Second\nSecond part here.`;
    const heading = titled.indexOf("#");
    expect(
      splitText({
        text: titled,
        headings: [
          { start: 0, path: ["First"] },
          { start: heading, path: ["First", "Second"] },
        ],
      }),
    ).toEqual([
      { ordinal: 0, start: 0, end: heading - 1, headingPath: ["First"] },
      { ordinal: 1, start: heading, end: titled.length, headingPath: ["First", "Second"] },
    ]);
  });

  it("ends chunks where they ended in an earlier version, so that most stay the same", () => {
    const next = random(7);
    const paragraphs = Array.from(
      { length: 1_500 },
      (_, n) => `Paragraph ${n}. ${"It goes on. ".repeat(Math.floor(next() * 30))}`,
    );
    const textsOf = (options: SplitOptions): Set<string> =>
      new Set(splitText(options).map(({ start, end }) => options.text.slice(start, end)));
    const old = paragraphs.join("\n\n");
    const before = textsOf({ text: old });
    // The overlaps of chunks are no openings.
    const openings = new Set(
      splitText({ text: old, overlap: 0, size: 980 }).map(({ start }) => openingAt(old, start)),
    );
    expect(textsOf({ text: old, openings })).toEqual(before);
    for (const change of ["", "Short.", "Much longer than it was. ".repeat(70)]) {
      const changed = paragraphs.with(700, change).with(1_100, change);
      const after = textsOf({ text: changed.join("\n\n"), openings });
      expect([...after].filter((text) => !before.has(text)).length).toBeLessThanOrEqual(8);
    }
  });

  it("returns nothing for white space and one chunk for a short text", () => {
    expect(splitText({ text: "" })).toEqual([]);
    expect(splitText({ text: " \n\u00a0\n " })).toEqual([]);
    expect(splitText({ text: " x " })).toEqual([{ ordinal: 0, start: 1, end: 2, headingPath: [] }]);
  });

  it("takes linear time on long and hostile texts", () => {
    const hostile: [string, SplitOptions][] = [
      ["no spaces", { text: "x".repeat(4_000_000) }],
      ["Han without stops", { text: "漢".repeat(1_000_000) }],
      ["one line", { text: "word and word ".repeat(150_000) }],
      ["line ends", { text: "\n".repeat(2_000_000) }],
      ["spaces", { text: `a${" ".repeat(4_000_000)}b` }],
      [
        "prose",
        { text: "A sentence of a few words, with a comma. And another one\n\n".repeat(80_000) },
      ],
      [
        "headings",
        {
          text: "text line\n".repeat(50_000),
          headings: Array.from({ length: 50_000 }, (_, n) => ({ start: n * 10, path: ["h"] })),
        },
      ],
      ["marks", { text: `a${"\u0301".repeat(500_000)}` }],
    ];
    for (const [name, options] of hostile) {
      const started = process.threadCpuUsage();
      splitText(options);
      expect([name, process.threadCpuUsage(started).user < 10_000_000]).toEqual([name, true]);
    }
  }, 60_000);
});
