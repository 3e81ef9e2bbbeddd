import { load } from "cheerio/slim";
import { cleanText } from "./decode-text.ts";
import { type HtmlNode, readDataTable, type HtmlNode as Node } from "./html-table.ts";
import type { ParsedText } from "./parsed-document.ts";
import { TextBuilder } from "./text-builder.ts";
import { tidyHtml, type TidyOptions, type TidyPage } from "./tidy-html.ts";
import { writeTable } from "./write-table.ts";

const hidden = "[aria-hidden=true],[hidden]";
const dropped = `nav,dialog,[role=navigation],[role=search],${hidden}`;
/** Page furniture, except inside an article, where a header or footer belongs to the text. */
const furniture = "header,footer,aside,[role=banner],[role=contentinfo],[role=complementary]";

const parsePage = (html: string) =>
  load(`<body>${html}`, { xml: { xmlMode: false, decodeEntities: true } });

/** Decodes the entities of plain text. */
const plain = (text: string): string => parsePage(text.replaceAll("<", "&lt;"))("body").text();

interface PageOptions extends TidyOptions {
  /** Heads the text with the page's title if it has no heading of the first level. */
  isTitled?: boolean;
}

const hasText = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** The part of a page that is its content, without what is hidden and what every page of a site has. */
function selectContent($: ReturnType<typeof parsePage>) {
  $(dropped).remove();
  const article = $("main, article, [role=main]").first();
  // The parser always creates a body.
  const body = $("body").first();
  const useArticle =
    article.length > 0 && article.text().trim().length > 0.3 * body.text().trim().length;
  if (useArticle) return article;
  $(furniture).not("main *, article *").remove();
  return body;
}

/** Everything that a page without content may show. */
function* selectFallbacks(source: string, page: TidyPage, options: TidyOptions) {
  const whole = parsePage(tidyHtml(source, { ...options, isWhole: true }).html);
  whole(hidden).remove();
  yield whole("body").first();
  yield parsePage(page.html)("body").first();
}

/**
 * Readable text of a page. One that has nothing else shows its navigation, what it shows without
 * scripts or hides, or what its metadata says.
 */
export function parseHtml(source: string, options: PageOptions = {}): ParsedText {
  const clean = cleanText(source);
  const page = tidyHtml(clean, options);
  const title = options.isTitled ? plain(page.title).replace(/\s+/g, " ").trim() : "";
  let content = selectContent(parsePage(page.html));
  if (!hasText(content.text()))
    for (content of selectFallbacks(clean, page, options)) if (hasText(content.text())) break;
  if (!hasText(content.text())) return describe(page);
  return withTitle(writePage(content.get(0) as unknown as HtmlNode | undefined), title);
}

/** Heads a text with its page's title if it has no heading of the first level. */
function withTitle(parsed: ParsedText, title: string): ParsedText {
  const isTitled = parsed.headings.some(({ level }) => level === 1);
  if (title === "" || isTitled || parsed.text.startsWith(title)) return parsed;
  const out = new TextBuilder();
  out.addHeading(title, 1);
  out.addParsed(parsed);
  return out.build();
}

function describe({ description }: TidyPage): ParsedText {
  const out = new TextBuilder();
  for (const line of new Set(description)) out.addParagraph(plain(line));
  return out.build();
}

const blocks = new Set([
  "address",
  "article",
  "aside",
  "blockquote",
  "body",
  "caption",
  "center",
  "dd",
  "details",
  "div",
  "dl",
  "dt",
  "fieldset",
  "figcaption",
  "figure",
  "footer",
  "form",
  "header",
  "hr",
  "html",
  "li",
  "main",
  "ol",
  "p",
  "pre",
  "section",
  "summary",
  "table",
  "tbody",
  "tfoot",
  "thead",
  "tr",
  "ul",
]);
const paragraphs = new Set([
  "p",
  "blockquote",
  "pre",
  "table",
  "caption",
  "ul",
  "ol",
  "dl",
  "section",
  "article",
  "figure",
  "details",
]);
const headingLevel = (name: string | undefined): number | null =>
  name && /^h[1-6]$/.test(name) ? Number(name[1]) : null;

const wrapping = new Set(["p", "div", "b"]);
/**
 * The elements that wrap all of a cell. They don't break its line: Word writes each cell as a
 * paragraph.
 */
function wrappersOf(cell: Node): Node[] {
  const wrappers: Node[] = [];
  let content = cell.children ?? [];
  for (;;) {
    const filled = content.filter(
      ({ type, data = "" }) => type !== "comment" && (type !== "text" || data.trim() !== ""),
    );
    const [only] = filled;
    if (filled.length !== 1 || !wrapping.has(only!.name ?? "")) return wrappers;
    wrappers.push(only!);
    content = only!.children ?? [];
  }
}

/** All text below a node. Iterative, because pages may be nested deeper than the stack. */
function textOf(node: Node): string {
  const parts: string[] = [];
  const stack: Node[] = [node];
  while (stack.length > 0) {
    const current = stack.pop()!;
    if (current.type === "text") parts.push(current.data ?? "");
    else if (current.children)
      for (let i = current.children.length - 1; i >= 0; i--) stack.push(current.children[i]!);
  }
  return parts.join("");
}

/** What a table is about; it may be written anywhere in the table. */
const captionOf = (table: Node): string =>
  (table.children ?? [])
    .filter(({ name }) => name === "caption")
    .map(textOf)
    .join(" ")
    .replace(/\s+/g, " ");

/**
 * The text below a node: headings are kept, lists become lines, and table rows repeat column names if
 * there are any.
 */
function writePage(root: Node | undefined): ParsedText {
  const out = new TextBuilder();
  let pendingSpace = false;
  let atCellStart = false;
  let preformatted = 0;
  /** Rows whose first cell has been read. */
  const begunRows = new Set<Node>();
  const cellWrappers = new Set<Node>();
  const addText = (data: string): void => {
    if (preformatted > 0) return out.add(data);
    const text = data.replace(/[\s\u00a0]+/g, " ");
    const trimmed = text.trim();
    if (trimmed === "") {
      pendingSpace = true;
      return;
    }
    const isSpaced = (pendingSpace || text.startsWith(" ")) && !out.atLineStart && !atCellStart;
    out.add((isSpaced ? " " : "") + trimmed);
    pendingSpace = text.endsWith(" ");
    atCellStart = false;
  };
  const newBlock = (newlines: 1 | 2): void => {
    out.breakTo(newlines);
    pendingSpace = false;
    atCellStart = false;
  };
  // Each entry is a node to enter, or a callback for when its children are done.
  const stack: (Node | (() => void))[] = root ? [root] : [];
  while (stack.length > 0) {
    const item = stack.pop()!;
    if (typeof item === "function") {
      item();
      continue;
    }
    if (item.type === "text") {
      addText(item.data ?? "");
      continue;
    }
    const level = headingLevel(item.name);
    if (level !== null) {
      out.addHeading(textOf(item), level);
      pendingSpace = false;
      continue;
    }
    if (item.name === "br") {
      // Two in a row end a paragraph.
      newBlock(out.atLineStart ? 2 : 1);
      continue;
    }
    const name = item.name ?? "";
    const table = name === "table" ? readDataTable(item) : null;
    if (table) {
      out.addParagraph(captionOf(item));
      for (const piece of table)
        for (const paragraph of typeof piece === "string" ? [piece] : writeTable(piece))
          out.addParagraph(paragraph);
      pendingSpace = false;
      continue;
    }
    if (blocks.has(name) && !cellWrappers.has(item)) {
      newBlock(paragraphs.has(name) ? 2 : 1);
      if (name === "li") out.add("- ");
      if (name === "pre") preformatted++;
      stack.push(() => {
        if (name === "pre") preformatted--;
        newBlock(paragraphs.has(name) ? 2 : 1);
      });
    } else if ((name === "td" || name === "th") && item.parent) {
      if (begunRows.has(item.parent)) {
        out.add(" | ");
        atCellStart = true;
      }
      begunRows.add(item.parent);
      for (const wrapper of wrappersOf(item)) cellWrappers.add(wrapper);
    }
    const children = item.children ?? [];
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]!);
  }
  return out.build();
}
