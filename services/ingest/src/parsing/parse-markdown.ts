import { cleanText } from "./decode-text.ts";
import type { Heading, ParsedText } from "./parsed-document.ts";

const atx = /^ {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$/;
const setext = /^ {0,3}(=+|-+)[ \t]*$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;
/** YAML between two lines at the beginning, as Obsidian and most site generators write it. */
const frontMatter =
  /^---[ \t]*\n(?=["'\w][^\n:]{0,100}:)(?:[^\n]{0,2000}\n){0,500}?(?:---|\.\.\.)[ \t]*(?:\n|$)/;
const plainTitle = (title: string): string =>
  title
    .replace(/!?\[\[(?:[^\][|]*\|)?([^\][|]*)\]\]/g, "$1")
    .replace(/[*_`]+/g, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim();

/**
 * Keeps Markdown as written, because it is readable and citations point into it; only finds its
 * headings, outside code and front matter.
 */
export function parseMarkdown(source: string): ParsedText {
  const text = cleanText(source).trimEnd();
  const headings: Heading[] = [];
  let open: string | null = null;
  let previous: { start: number; line: string } | null = null;
  let start = frontMatter.exec(text)?.[0].length ?? 0;
  while (start < text.length) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    const marker = fence.exec(line)?.[1];
    if (open !== null) {
      if (marker && marker[0] === open[0] && marker.length >= open.length) open = null;
      previous = null;
    } else if (marker) {
      open = marker;
      previous = null;
    } else {
      const hashes = line.length <= 1000 ? atx.exec(line) : null;
      const underline: RegExpExecArray | null =
        previous && previous.line.trim() !== "" ? setext.exec(line) : null;
      if (hashes) headings.push({ start, level: hashes[1]!.length, title: plainTitle(hashes[2]!) });
      else if (underline && previous)
        headings.push({
          start: previous.start,
          level: underline[1]![0] === "=" ? 1 : 2,
          title: plainTitle(previous.line),
        });
      previous = hashes || underline || line.length > 200 ? null : { start, line };
    }
    start = end + 1;
  }
  return { text, headings: headings.filter((heading) => heading.title !== ""), pages: [] };
}
