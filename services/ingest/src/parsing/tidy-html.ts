import { clipText } from "@carrel/contracts/clip-text";
import { load } from "cheerio/slim";
import { MathReader, mathTokens } from "./read-math.ts";
import { Tidied } from "./tidied.ts";

/** A page whose markup is simple enough for any parser. */
export interface TidyPage {
  html: string;
  title: string;
  /** What its metadata says, for a page that shows nothing. */
  description: string[];
}

export interface TidyOptions {
  /** Any element may be written as empty: `<script src="a.js"/>`. */
  isXml?: boolean;
  /** Also reads fallback content: noscript, noframes. */
  isWhole?: boolean;
}

/** Elements whose content isn't markup. */
const raw = new Set([
  ...["script", "style", "textarea", "title", "iframe", "noembed", "noframes", "xmp"],
  // Elements that Carrel reads as a whole.
  ...["math", "select"],
]);
const rawEnds = new Map([...raw].map((name) => [name, new RegExp(`</${name}(?=[\\s/>])`, "gi")]));
const tagName = /[a-z][^\s/>]*/iy;
const prefixed = /^(?:x?html|h):/;
const cdata = "<![CDATA[";
/** A document type that declares entities, which end with another `>`. */
const doctypeWithSubset = /^<!doctype[^>[]{0,250}\[/i;
const describing = /^(?:(?:og:)?(?:title|description)|twitter:description|keywords|author)$/i;

const isXhtml = (source: string): boolean =>
  /^\s*<\?xml\s/.test(source) || source.slice(0, 2_000).includes("http://www.w3.org/1999/xhtml");

const unescape = (text: string): string =>
  text
    .replace(/&(?:lt|#60);/g, "<")
    .replace(/&(?:gt|#62);/g, ">")
    .replace(/&(?:quot|#34);/g, '"')
    .replace(/&(?:apos|#39);/g, "'")
    .replaceAll("&amp;", "&");

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Reads a page once from start to end. */
class Tidier {
  private readonly tidied: Tidied;
  private readonly isXml: boolean;
  private readonly isWhole: boolean;
  private title = "";
  private readonly description: string[] = [];

  constructor(
    private readonly source: string,
    { isXml = isXhtml(source), isWhole = false }: TidyOptions,
    private readonly isEmbedded: boolean,
  ) {
    this.isXml = isXml;
    this.isWhole = isWhole;
    this.tidied = new Tidied(isWhole);
  }

  read(): TidyPage {
    const { source, tidied } = this;
    for (let at = 0; at < source.length;) {
      const tag = source.indexOf("<", at);
      if (tag !== at) tidied.addText(source.slice(at, tag < 0 ? undefined : tag));
      if (tag < 0) break;
      at = this.readTag(tag);
    }
    return { html: tidied.build(), title: this.title, description: this.description };
  }

  /** Returns where the tag ends, including any content that isn't markup. */
  private readTag(tag: number): number {
    const { source, tidied } = this;
    const isEnd = source[tag + 1] === "/";
    tagName.lastIndex = isEnd ? tag + 2 : tag + 1;
    const name = tagName.exec(source)?.[0].toLowerCase().replace(prefixed, "");
    if (source.startsWith("<!--", tag)) return this.after("-->", tag + 2);
    if (this.isXml && source.startsWith(cdata, tag)) {
      const end = this.after("]]>", tag);
      tidied.addText(source.slice(tag + cdata.length, end - 3).replaceAll("&", "&amp;"));
      return end;
    }
    if (name === undefined) {
      if (doctypeWithSubset.test(source.slice(tag, tag + 300))) return this.after("]>", tag);
      if (isEnd || /[!?]/.test(source[tag + 1] ?? "")) return this.after(">", tag + 1);
      tidied.addText("<");
      return tag + 1;
    }
    if (!isEnd) return this.readStart(name, readStartTag(source, name, tagName.lastIndex));
    const end = this.after(">", tagName.lastIndex);
    if (name === "sup" || name === "sub") tidied.endScript(name, source[end] ?? "");
    tidied.end(name);
    return end;
  }

  private readStart(name: string, tag: StartTag): number {
    const { source, tidied, isXml } = this;
    const isEmptied = tag.isClosed && isXml;
    if (raw.has(name) && !(this.isWhole && /^no(?:frames|embed)$/.test(name)))
      return isEmptied ? tag.end : this.readRaw(name, tag);
    if (name === "sup" || name === "sub") {
      if (!isEmptied) tidied.startScript(name);
      return tag.end;
    }
    const isHidden = tag.values.get("aria-hidden") === "true" || tag.values.has("hidden");
    if (name === "img" || name === "area" || name === "input") {
      if (!isHidden && !tag.isStyledAway) this.addReplaced(name, tag);
      return tag.end;
    }
    if (name === "meta") this.describe(tag.facts);
    // A page of a component, shown as part of this one.
    if (name === "template" && tag.facts.has("shadowrootmode")) return tag.end;
    // Pages that show a formula as a picture hide it only from sight.
    const isShown = !tag.isStyledAway || source.startsWith("<math", tag.end);
    if (!isShown) tag.values.set("hidden", "");
    tidied.start(name, tag.values);
    if (tag.isClosed && (tidied.isUnread(name) || isXml)) tidied.end(name);
    return name === "pre" && source[tag.end] === "\n" ? tag.end + 1 : tag.end;
  }

  private readRaw(name: string, { facts, isClosed, end }: StartTag): number {
    const rawEnd = rawEnds.get(name)!;
    rawEnd.lastIndex = end;
    // Never closed, but written as empty, as in XHTML.
    const close = rawEnd.exec(this.source)?.index ?? (isClosed ? end : this.source.length);
    const content = this.source.slice(end, close);
    const { tidied } = this;
    if (name === "title" && this.title === "" && !tidied.isIn("svg")) this.title = content;
    else if (name === "textarea" || name === "xmp") tidied.addText(content);
    else if (name === "select") tidied.addText(selectedOptions(content));
    else if (name === "math")
      tidied.addText(escape(readMathMarkup(content)) || (facts.get("alttext") ?? ""));
    else if (name === "iframe" && !this.isEmbedded && facts.has("srcdoc")) {
      const page = new Tidier(unescape(facts.get("srcdoc")!), { isXml: false }, true).read();
      tidied.addTidied(page.html);
    }
    return close;
  }

  private addReplaced(name: string, { facts, values }: StartTag): void {
    const isOption = /^(?:checkbox|radio)$/i.test(facts.get("type") ?? "");
    // Elsewhere a box opens a menu.
    if (isOption && !this.tidied.isIn("form", "li", "td", "fieldset", "p")) return;
    this.tidied.addText(
      name === "input" ? fieldValue(facts) : describePicture(facts, values.get("role")),
    );
  }

  private describe(facts: ReadonlyMap<string, string>): void {
    const content = facts.get("content") ?? "";
    const name = facts.get("name") ?? facts.get("property") ?? "";
    const isSaid = facts.has("itemprop") || describing.test(name);
    if (isSaid && /\p{L}/u.test(content) && !/^https?:\S+$/.test(content))
      this.description.push(content);
  }

  private after(text: string, from: number): number {
    const found = this.source.indexOf(text, from);
    return found < 0 ? this.source.length : found + text.length;
  }
}

/**
 * Rewrites a page so that any parser reads it in linear time: elements are closed, not nested
 * deeply, and have few attributes; everything but text and its structure is removed.
 */
export const tidyHtml = (source: string, options: TidyOptions = {}): TidyPage =>
  new Tidier(source, options, false).read();

/** Pictures this small are icons. */
const iconSize = 24;
const longestAlt = 1_000;

/** What a picture shows, if its page says so. */
function describePicture(facts: ReadonlyMap<string, string>, role = ""): string {
  const alt = clipText((facts.get("alt") ?? "").replace(/\s+/g, " "), longestAlt);
  if (alt === "" || /^(?:presentation|none)$/.test(role)) return "";
  const isName = /^[\w%~. -]{1,100}\.(?:png|jpe?g|gif|svg|webp|bmp)$/i.test(alt);
  const isEmoji = /^\P{L}{1,8}$/u.test(alt);
  if (isEmoji) return alt;
  const size = Math.max(Number(facts.get("width")) || 0, Number(facts.get("height")) || 0);
  return isName || (size > 0 && size <= iconSize) ? "" : `[Image: ${alt}]`;
}

const silentInput = /^(?:hidden|password|submit|button|reset|image|search|file|color|range)$/i;

/** The value of a form's field. */
function fieldValue(facts: ReadonlyMap<string, string>): string {
  const type = facts.get("type") ?? "text";
  if (/^(?:checkbox|radio)$/i.test(type)) return facts.has("checked") ? "☒ " : "☐ ";
  return silentInput.test(type) ? "" : (facts.get("value") ?? "");
}

/** The options of a list that are selected. */
function selectedOptions(source: string): string {
  const texts: string[] = [];
  for (let at = source.indexOf("<"); at >= 0; at = source.indexOf("<", at + 1)) {
    if (!/^<option\b/i.test(source.slice(at, at + 8))) continue;
    const { end } = readStartTag(source, "option", at + 7);
    if (!/\sselected(?=[\s=>/])/i.test(source.slice(at, Math.min(end, at + 500)))) continue;
    const close = source.indexOf("<", end);
    texts.push(source.slice(end, close < 0 ? undefined : close).trim());
  }
  return texts.join(", ");
}

/** Deeper elements are read as if they were not there. */
const deepestMath = 100;
const separator = "\u0001";

/** Pieces of text without their entities. */
const decoded = (pieces: readonly string[]): string[] =>
  load(pieces.join(separator), { xml: { xmlMode: false, decodeEntities: true } })
    .root()
    .text()
    .split(separator);

type MathTag = { name: string; isEnd: boolean } | null;

/** Splits markup into pieces of text and the tag that ends each, if any. */
function splitMath(source: string): { pieces: string[]; tags: MathTag[] } {
  const pieces: string[] = [];
  const tags: MathTag[] = [];
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
function readMathMarkup(source: string): string {
  const reader = new MathReader();
  const open: string[] = [];
  const start = (name: string): void => {
    reader.open(name, {});
    open.push(name);
  };
  start("math");
  const { pieces, tags } = splitMath(source);
  for (const [n, tag] of tags.entries()) {
    const text = (pieces[n] ?? "").replace(/\s+/g, " ").trim();
    const isToken = mathTokens.has(open.at(-1)!);
    if (text !== "" && !isToken) reader.open("mi", {});
    if (text !== "") reader.text(text);
    if (text !== "" && !isToken) reader.close("mi");
    if (tag === null) continue;
    if (!tag.isEnd) {
      if (open.length < deepestMath) start(tag.name);
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

/** The attributes that decide what is read, and how long their values are. */
const kept = new Set(["role", "hidden", "aria-hidden", "rowspan", "colspan"]);
const longestValue = 40;
/** Attributes that are text, or say what an element is; of other elements they aren't read. */
const ofElement = new Map<string, ReadonlySet<string>>([
  ["img", new Set(["alt", "width", "height"])],
  ["area", new Set(["alt"])],
  ["input", new Set(["type", "value", "checked", "alt"])],
  ["iframe", new Set(["srcdoc"])],
  ["math", new Set(["alttext"])],
  ["meta", new Set(["name", "property", "itemprop", "content"])],
  ["template", new Set(["shadowrootmode"])],
]);
const longestText = 1_000_000;

interface StartTag {
  /** Attributes kept in the result. */
  values: Map<string, string>;
  /** Attributes only used while reading the element. */
  facts: Map<string, string>;
  /** Written as empty: `<a/>`. */
  isClosed: boolean;
  isStyledAway: boolean;
  end: number;
}

const space = /[\s/]*/y;
/** An attribute's name, and its value in one of three spellings. */
const attribute = /([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;
const styledAway = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i;

/** Reads the rest of a start tag from `at`. */
function readStartTag(source: string, element: string, at: number): StartTag {
  const values = new Map<string, string>();
  const facts = new Map<string, string>();
  const wanted = ofElement.get(element);
  let isStyledAway = false;
  for (let end = at; ; end = attribute.lastIndex) {
    space.lastIndex = end;
    space.exec(source);
    end = space.lastIndex;
    if (end >= source.length || source[end] === ">") {
      if (/^until-found$/i.test(values.get("hidden") ?? "")) values.delete("hidden");
      return { values, facts, isStyledAway, isClosed: source[end - 1] === "/", end: end + 1 };
    }
    attribute.lastIndex = end;
    const [, name = "", double, single, bare] = attribute.exec(source)!;
    const key = name.length > longestValue ? "" : name.toLowerCase();
    const value = double ?? single ?? bare ?? "";
    if (wanted?.has(key)) {
      if (!facts.has(key)) facts.set(key, clipText(value, longestText).trim());
    } else if (key === "style") isStyledAway ||= styledAway.test(clipText(value, 1_000));
    else if (kept.has(key) && !values.has(key) && /^[\w-]*$/.test(clipText(value.trim(), 1_000)))
      values.set(key, clipText(value.trim(), longestValue));
  }
}
