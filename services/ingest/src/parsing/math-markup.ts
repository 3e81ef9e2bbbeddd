import { load } from "cheerio/slim";
import { MathReader, mathTokens } from "./read-math.ts";

/** Deeper elements are read as if they were not there. */
const deepest = 100;
const separator = "\u0001";

/** Pieces of text without their entities. */
const decoded = (pieces: readonly string[]): string[] =>
  load(pieces.join(separator), { xml: { xmlMode: false, decodeEntities: true } })
    .root()
    .text()
    .split(separator);

type Tag = { name: string; isEnd: boolean } | null;

/** Splits markup into pieces of text and the tag that ends each, if any. */
function split(source: string): { pieces: string[]; tags: Tag[] } {
  const pieces: string[] = [];
  const tags: Tag[] = [];
  for (let at = 0; at < source.length;) {
    const start = source.indexOf("<", at);
    pieces.push(source.slice(at, start < 0 ? undefined : start));
    const end = start < 0 ? -1 : source.indexOf(">", start);
    const name = /^<\/?(?:\w{1,20}:)?([a-z-]{1,20})/i.exec(source.slice(start, start + 50))?.[1];
    const isRead = end >= 0 && name !== undefined && source[end - 1] !== "/";
    tags.push(isRead ? { name: name.toLowerCase(), isEnd: source[start + 1] === "/" } : null);
    if (end < 0) break;
    at = end + 1;
  }
  return { pieces: source.includes("&") ? decoded(pieces) : pieces, tags };
}

/** The content of a page's MathML element on one line. Elements may be unclosed or misplaced. */
export function readMathMarkup(source: string): string {
  const reader = new MathReader();
  const open: string[] = [];
  const start = (name: string): void => {
    reader.open(name, {});
    open.push(name);
  };
  start("math");
  const { pieces, tags } = split(source);
  for (const [n, tag] of tags.entries()) {
    const text = (pieces[n] ?? "").replace(/\s+/g, " ").trim();
    const isToken = mathTokens.has(open.at(-1)!);
    if (text !== "" && !isToken) reader.open("mi", {});
    if (text !== "") reader.text(text);
    if (text !== "" && !isToken) reader.close("mi");
    if (tag === null) continue;
    if (!tag.isEnd) {
      if (open.length < deepest) start(tag.name);
    } else if (open.lastIndexOf(tag.name) > 0)
      while (open.length > 1) {
        const name = open.pop()!;
        reader.close(name);
        if (name === tag.name) break;
      }
  }
  while (open.length > 1) reader.close(open.pop()!);
  return reader.close("math")!;
}
