import { cleanText } from "./decode-text.ts";
import type { ParsedText } from "./parsed-document.ts";

export function parseText(text: string): ParsedText {
  return { text: cleanText(text).trimEnd(), headings: [], pages: [] };
}
