import { expect } from "@jest/globals";
import { lastAtOrBefore, headingsAt, pageAt } from "../src/parsing/heading-path.ts";
import { parseFile } from "../src/parsing/parse-file.ts";
import type { Recognition } from "../src/parsing/recognise-text.ts";

export const english: Recognition = { languages: ["eng"], dataFolder: null, maxPages: 20 };
export const parse = (
  filename: string,
  content: string | Uint8Array,
  recognition: Recognition | null = null,
) =>
  parseFile(
    { bytes: typeof content === "string" ? Buffer.from(content) : content, filename, mime: null },
    recognition,
  );
type Parsed = Awaited<ReturnType<typeof parse>>;
/** The headings above a piece of text, and its page. */
export const place = (parsed: Parsed, words: string) => {
  const at = parsed.text.indexOf(words);
  expect(at).toBeGreaterThanOrEqual(0);
  expect(lastAtOrBefore(parsed.headings, at)).toBeLessThan(parsed.headings.length);
  return {
    path: headingsAt(parsed.headings, at).map((heading) => heading.title),
    page: pageAt(parsed.pages, at),
  };
};
