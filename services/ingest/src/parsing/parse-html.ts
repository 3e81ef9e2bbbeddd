import { load } from "cheerio/slim";
import { cleanText } from "./decode-text.ts";
import type { HtmlNode } from "./html-table.ts";
import type { ParsedText } from "./parsed-document.ts";
import { TextBuilder } from "./text-builder.ts";
import { tidyHtml, type TidyOptions, type TidyPage } from "./tidy-html.ts";
import { writePage } from "./write-page.ts";

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
