import { clipText } from "@carrel/contracts";

const maxWords = 6;
const maxCharacters = 60;
const atStart = /["'`*_#“”„‚‘’«»「」『』\s]/u;
const atEnd = /["'`*_#“”„‚‘’«»「」『』\s.:;,。]/u;

/** Without quotes and markup around it, or punctuation at its end. */
function trimEnds(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && atStart.test(text[start]!)) start += 1;
  while (end > start && atEnd.test(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}

/**
 * Turns what a model wrote into a title: one line without quotes or markup, of at most
 * six words; null if nothing usable is left.
 */
export function cleanTitle(written: string): string | null {
  const line =
    written
      .split(/[\r\n]+/)
      .map((text) => text.trim())
      .find((text) => text !== "") ?? "";
  const bare = trimEnds(
    line.replace(/^(?:title|titel|titre|título)\s*:\s*/i, "").replace(/[\p{Cc}\p{Cf}]/gu, ""),
  )
    .replace(/\s+/g, " ")
    .replace(/ ?\[\d+\]/g, "")
    .trim();
  const words = bare.split(" ").slice(0, maxWords).join(" ");
  const title = trimEnds(clipText(words, maxCharacters));
  return /[\p{L}\p{N}]/u.test(title) ? title : null;
}

const numbered = /^[\s*#>-]*(\d{1,3})\s*[.):\-–]\s*(.*)$/;

/**
 * Reads the titles a model wrote for `count` conversations, one numbered line each; null where it
 * wrote nothing usable. For a single conversation, the number may be missing.
 */
export function readTitles(written: string, count: number): (string | null)[] {
  const titles = Array.from<string | null>({ length: count }).fill(null);
  let hasNumbers = false;
  for (const line of written.split(/[\r\n]+/)) {
    const [, number, title] = numbered.exec(line) ?? [];
    const index = Number(number) - 1;
    if (title === undefined || index >= count) continue;
    hasNumbers = true;
    titles[index] ??= cleanTitle(title);
  }
  return hasNumbers || count !== 1 ? titles : [cleanTitle(written)];
}
