const maxWords = 6;
const maxCharacters = 60;
const quotes = `["'\`*_#“”„‚‘’«»「」『』]+`;
const atEnds = new RegExp(`^(?:${quotes}|\\s)+|(?:${quotes}|[\\s.:;,。])+$`, "gu");

/**
 * Turns what a model wrote into a title: one line without quotes, markup or reasoning, of at most
 * six words; null if nothing usable is left.
 */
export function cleanTitle(written: string): string | null {
  const line =
    written
      .replace(/<think>[\s\S]*?(<\/think>|$)/g, "")
      .split(/[\r\n]+/)
      .map((text) => text.trim())
      .find((text) => text !== "") ?? "";
  const bare = line
    .replace(/^(?:title|titel|titre|título)\s*:\s*/i, "")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .replace(atEnds, "")
    .replace(/\s+/g, " ")
    .replace(/\s*\[\d+\]/g, "")
    .trim();
  const words = bare.split(" ").slice(0, maxWords).join(" ");
  const title = Array.from(words).slice(0, maxCharacters).join("").replace(atEnds, "").trim();
  return /[\p{L}\p{N}]/u.test(title) ? title : null;
}
