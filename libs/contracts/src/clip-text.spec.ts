import { describe, expect, it } from "@jest/globals";
import { clipText } from "./clip-text.ts";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const charactersOf = (text: string): string[] =>
  [...segmenter.segment(text)].map(({ segment }) => segment);

const family = "👩‍👩‍👧‍👦";
const texts = [
  "Plain words only",
  `Order 🚢 and ${family} and 🇩🇪🇫🇷🇮🇹 flags`,
  "e\u0301le\u0300ves a\u0308o\u0308u\u0308",
  "नमस्ते दुनिया, ภาษาไทยกำลัง",
  "한국어 \u1112\u1161\u11ab각",
  "line\r\nline\r\n",
  "🇩🇪".repeat(40),
];

describe("clipText", () => {
  it("cuts between characters, wherever the limit is", () => {
    for (const text of texts) {
      const all = charactersOf(text);
      for (let most = 0; most <= text.length + 1; most++) {
        const clipped = clipText(text, most);
        expect(clipped.length).toBeLessThanOrEqual(most);
        let whole = "";
        for (const character of all) {
          if (whole.length + character.length > most) break;
          whole += character;
        }
        expect(clipped).toBe(whole);
      }
    }
  });

  it("leaves no half of a surrogate pair, not even one that was there", () => {
    expect(clipText("a\ud83d", 5)).toBe("a\ufffd");
    expect(clipText("\ude00 ab cd", 4)).toBe("\ufffd ab");
    expect(clipText(`${"x".repeat(299)}🚢 and more`, 300)).toBe("x".repeat(299));
  });

  it("cuts a character without end somewhere", () => {
    const clipped = clipText(`a${"\u0301".repeat(5_000)}`, 1_000);
    expect(clipped).toHaveLength(1_000);
    expect(clipText("😀\u200d".repeat(5_000), 1_000).isWellFormed()).toBe(true);
  });

  it("takes no longer for a longer text", () => {
    const text = "Grüße 🚢 ".repeat(20_000);
    const start = performance.now();
    for (let n = 0; n < 2_000; n++) clipText(text, text.length - 10 - n);
    // Segmenting the whole text takes 20 ms, each time.
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
