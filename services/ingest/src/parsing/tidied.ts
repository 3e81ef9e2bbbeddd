import { UnreadableError } from "./parsed-document.ts";

/** Limit on the elements that a tree is built of, above any page to read. */
const mostElements = 1_000_000;
/**
 * Deeper elements are left out, and their text is kept: no real page is this deep, and parsers and
 * selectors need time for each level.
 */
const deepest = 200;
/** Read if a page has nothing else. Deleted text is left out as in Word: 4 replaced by 5 isn't 45. */
const fallback = new Set(["noscript", "svg", "canvas", "object", "button", "del"]);
/** Elements whose content isn't read; renamed, because parsers have special rules for some. */
const unread = new Set([...fallback, "template", "rt", "rp"]);
/** Superscripts of more pieces than this are sentences. */
const longestScript = 20;
const empty = new Set(["br", "hr"]);
/** Kept in cells, because bold cells may be the names of columns. */
const bold = new Set(["b", "strong"]);
const headings = ["h1", "h2", "h3", "h4", "h5", "h6"];
/** Elements that shape the text; all others only mark words in it. */
const structure = new Set([
  ...empty,
  ...headings,
  ...["address", "article", "aside", "blockquote", "caption", "center", "dd", "details", "dialog"],
  ...["div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "li"],
  ...["main", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th"],
  ...["thead", "tr", "ul"],
]);
const inTables = ["caption", "tbody", "td", "tfoot", "th", "thead", "tr"];
const closesParagraph = new Set(
  [...structure].filter((name) => name !== "br" && !inTables.includes(name)),
);

interface Rule {
  /** Open elements that end where this one starts. */
  ends: ReadonlySet<string>;
  /** Elements are ended only up to the innermost of these. */
  within: ReadonlySet<string>;
}
const rule = (ends: string[], within: string[]): Rule => ({
  ends: new Set(ends),
  within: new Set(within),
});
const rules = new Map<string, Rule>([
  ["li", rule(["li"], ["ul", "ol", "table"])],
  ["dt", rule(["dt", "dd"], ["dl", "table"])],
  ["dd", rule(["dt", "dd"], ["dl", "table"])],
  ["td", rule(["td", "th", "caption"], ["tr", "table"])],
  ["th", rule(["td", "th", "caption"], ["tr", "table"])],
  ["tr", rule(["tr", "caption"], ["table"])],
  ["thead", rule(["thead", "tbody", "tfoot", "caption", "tr"], ["table"])],
  ["tbody", rule(["thead", "tbody", "tfoot", "caption", "tr"], ["table"])],
  ["tfoot", rule(["thead", "tbody", "tfoot", "caption", "tr"], ["table"])],
  ["rt", rule(["rt", "rp"], ["p", "table"])],
  ["rp", rule(["rt", "rp"], ["p", "table"])],
]);
const paragraphEnd = rule(["p"], ["td", "th", "caption", "table"]);
const headingEnd = rule(
  headings,
  [...structure].filter((name) => !headings.includes(name)),
);
/** An end tag doesn't reach beyond the cell that it is in. */
const cells = new Set(["td", "th", "caption", "table"]);

const alwaysEmpty = /^(?:area|base|col|embed|img|input|link|meta|param|source|track|wbr)$/;
const page = new Set(["html", "head", "body"]);

interface Open {
  name: string;
  /** The element's name in the result. */
  tag: string;
}

/** Writes markup that is well-formed, of limited depth, and has only what decides what is read. */
export class Tidied {
  private readonly out: string[] = [];
  private readonly open: Open[] = [];
  /** Open elements that were too deep. */
  private ignored = 0;
  private elements = 0;
  /** Superscripts and subscripts that are open. */
  private readonly scripts: { name: "sup" | "sub"; from: number }[] = [];

  /** `isWhole` also reads fallback content, such as noscript. */
  constructor(private readonly isWhole = false) {}

  addText(text: string): void {
    if (text !== "") this.out.push(text.replaceAll("<", "&lt;"));
  }

  /** Adds what `build` returned for another page. */
  addTidied(markup: string): void {
    this.out.push("<div>", markup, "</div>");
  }

  isUnread(name: string): boolean {
    return unread.has(name) && !(this.isWhole && fallback.has(name));
  }

  isIn(...names: string[]): boolean {
    return this.open.some(({ name }) => names.includes(name));
  }

  startScript(name: "sup" | "sub"): void {
    if (this.scripts.length < deepest) this.scripts.push({ name, from: this.out.length });
  }

  /** `next` is the character that follows. */
  endScript(name: "sup" | "sub", next: string): void {
    const script = this.scripts.pop();
    if (!script || script.name !== name || this.out.length - script.from > longestScript) return;
    const parts = this.out.slice(script.from);
    const isText = parts.length > 0 && parts.every((part) => !part.startsWith("<"));
    if (!isText) return;
    const before = this.out[script.from - 1] ?? "";
    const base = before.startsWith("<") ? "" : before.slice(-20);
    this.out.splice(script.from, parts.length, writeScript(name, base, parts.join(""), next));
  }

  start(name: string, values: ReadonlyMap<string, string>): void {
    if (!structure.has(name) && !this.isUnread(name)) return this.startMark(name, values);
    const paragraph = closesParagraph.has(name) ? this.firstEnded(paragraphEnd) : -1;
    if (paragraph >= 0) this.closeFrom(paragraph);
    const own = rules.get(name) ?? (headings.includes(name) ? headingEnd : undefined);
    const ended = own ? this.firstEnded(own) : -1;
    if (ended >= 0) this.closeFrom(ended);
    if (empty.has(name)) return this.write(`<${name}>`);
    if (this.isUnread(name)) return this.push({ name, tag: "span" }, "<span hidden>");
    const written = [...values].map(([key, value]) => ` ${key}="${value}"`).join("");
    this.push({ name, tag: name }, `<${name}${written}>`);
  }

  end(name: string): void {
    if (name === "br" || (name === "p" && this.find("p") < 0)) return this.start(name, new Map());
    if (this.ignored > 0 && (structure.has(name) || this.isUnread(name)))
      return void this.ignored--;
    if (name === "ruby") return this.endReading();
    const at = this.find(name);
    // Bold type that ends within another element is open until its parent ends.
    const isShaping = !bold.has(name) || at === this.open.length - 1;
    if (at >= 0 && isShaping) this.closeFrom(at);
  }

  /** The reading of a word may end with the word. */
  private endReading(): void {
    if (/^r[tp]$/.test(this.open.at(-1)?.name ?? "")) this.closeFrom(this.open.length - 1);
  }

  build(): string {
    this.closeFrom(0);
    return this.out.join("");
  }

  /** Elements that mark words are written only if they are hidden, or bold in a cell. */
  private startMark(name: string, values: ReadonlyMap<string, string>): void {
    const isHidden =
      values.has("hidden") ||
      values.get("aria-hidden") === "true" ||
      /^(?:navigation|search)$/.test(values.get("role") ?? "");
    if (isHidden && !alwaysEmpty.test(name) && !page.has(name))
      this.push({ name, tag: "span" }, "<span hidden>");
    else if (bold.has(name) && this.open.length < deepest && this.find("td") >= 0)
      this.push({ name, tag: "b" }, "<b>");
  }

  private push(element: Open, tag: string): void {
    if (this.open.length >= deepest) return void this.ignored++;
    this.open.push(element);
    this.write(tag);
  }

  /** Counts an element before a tree is built of it. */
  private write(tag: string): void {
    if (++this.elements > mostElements)
      throw new UnreadableError({
        code: "file.too-many-elements",
        params: { what: { code: "file-kind.page" }, limit: mostElements },
      });
    this.out.push(tag);
  }

  private find(name: string): number {
    for (let at = this.open.length - 1; at >= 0; at--) {
      if (this.open[at]!.name === name) return at;
      if (cells.has(this.open[at]!.name) && !inTables.includes(name) && name !== "table") return -1;
    }
    return -1;
  }

  /** The outermost open element that a rule ends; -1 if there is none. */
  private firstEnded({ ends, within }: Rule): number {
    let first = -1;
    for (let at = this.open.length - 1; at >= 0; at--) {
      const { name } = this.open[at]!;
      if (within.has(name)) break;
      if (ends.has(name)) first = at;
    }
    return first;
  }

  private closeFrom(at: number): void {
    for (const { tag } of this.open.splice(at).reverse()) this.out.push(`</${tag}>`);
  }
}

const minus = /&(?:minus|#8722|#x2212);|[−–]/gi;
const ordinal = /^(?:st|nd|rd|th|e|er|re|ère|ème|ième|o|a|os|as|º|ª)$/i;
/** Signs, numbers and single letters, put together. */
const expression = /^[-+]?(?:\d+(?:[.,]\d+)?|\p{L})?(?:[-+*/·]?(?:\d+(?:[.,]\d+)?|\p{L}))*[-+]?$/u;
const longestExpression = 12;

const group = (text: string): string =>
  /^[-+]?[\p{L}\p{N}.,]+[-+]?$/u.test(text) ? text : `(${text})`;
/** Digits would be read as one number with what follows. */
const apart = (text: string, next: string): string =>
  /\p{N}/u.test(next) && /[\p{L}\p{N}]$/u.test(text) ? `${text} ` : text;

function writeSuperscript(base: string, text: string, next: string): string {
  if (/^[[(*†‡§]/u.test(text)) return text;
  if (/\d$/.test(base) && ordinal.test(text)) return text;
  const isExpression = text.length <= longestExpression && expression.test(text);
  // A number or a closing bracket, a unit or a variable; a longer word has a footnote.
  const hasPower = /[\p{N})\]}]$/u.test(base) || /(?:^|\P{L})\p{L}{1,3}$/u.test(base);
  // `Mme` is a word.
  const isVariable = /^\p{Ll}{2,}$/u.test(text)
    ? /(?:^|\P{L})\p{Ll}$|[\p{N})\]}]$/u.test(base)
    : /(?:^|\P{L})\p{L}$|[\p{N})\]}]$/u.test(base);
  if (isExpression && hasPower && (/\d/.test(text) || isVariable))
    return apart(`^${group(text)}`, next);
  if (/^\d{1,3}(?:\s*[,–-]\s*\d{1,3})*$/.test(text) && /\S$/.test(base)) return `[${text}]`;
  return /^\p{L}{3,}/u.test(text) && /\p{L}$/u.test(base) ? ` ${text}` : text;
}

function writeSubscript(base: string, text: string, next: string): string {
  if (!/[\p{L}\p{N})\]]$/u.test(base)) return text;
  const isFormula = /^\d{1,3}$/.test(text) && /(?:\p{Lu}\p{Ll}?|[)\]])$/u.test(base);
  if (isFormula && !/\p{N}/u.test(next)) return text;
  const written = `_${group(text)}`;
  return /[\p{L}\p{N}]/u.test(next) ? `${written} ` : written;
}

/**
 * A superscript or subscript as plain text: 10^6, m^2, x_i; H2O, 5th and footnotes [1] as people
 * type them. `base` is the text before, `next` the character after it.
 */
function writeScript(name: "sup" | "sub", base: string, text: string, next: string): string {
  const clean = text.replace(minus, "-").trim();
  if (clean === "") return "";
  return name === "sup" ? writeSuperscript(base, clean, next) : writeSubscript(base, clean, next);
}
