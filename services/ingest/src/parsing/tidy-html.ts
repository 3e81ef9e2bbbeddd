import { readStartTag, type StartTag } from "./html-tags.ts";
import { readMathMarkup } from "./math-markup.ts";
import { describePicture, fieldValue, selectedOptions } from "./replaced-elements.ts";
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
  /** Also reads what is only shown in the place of something else: noscript, noframes. */
  isWhole?: boolean;
}

/** Their content isn't markup. */
const raw = new Set([
  ...["script", "style", "textarea", "title", "iframe", "noembed", "noframes", "xmp"],
  // Ours, read as a whole.
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

  /** Returns where the tag, with what isn't markup in it, ends. */
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
 * Rewrites a page so that any parser reads it in linear time: elements are closed, not nested deeply,
 * and have few attributes; what isn't text or its structure is gone.
 */
export const tidyHtml = (source: string, options: TidyOptions = {}): TidyPage =>
  new Tidier(source, options, false).read();
