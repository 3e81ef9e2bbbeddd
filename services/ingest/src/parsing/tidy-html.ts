/**
 * Deeper elements are left out, and their text is kept: no real page is this deep, and parsers and
 * selectors need time for each level.
 */
const deepest = 200;
/** The only attributes that decide what is read, and how long their values are. */
const attributes = new Set(["role", "hidden", "aria-hidden", "rowspan", "colspan"]);
const longestValue = 40;
/** Their content isn't markup. */
const raw = new Set([
  "script",
  "style",
  "textarea",
  "title",
  "iframe",
  "noembed",
  "noframes",
  "xmp",
]);
/** Nothing in them is read; renamed, because some have rules of their own in a parser. */
const unread = new Set(["noscript", "template", "svg", "canvas", "object", "select", "button"]);
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
  /** Only up to the innermost of these. */
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
  /** What it is called in the result. */
  tag: string;
}

/** Writes markup that is well-formed, of limited depth, and has only what decides what is read. */
class Tidied {
  private readonly out: string[] = [];
  private readonly open: Open[] = [];
  /** Open elements that were too deep. */
  private ignored = 0;

  addText(text: string): void {
    this.out.push(text.replaceAll("<", "&lt;"));
  }

  start(name: string, values: ReadonlyMap<string, string>): void {
    if (!structure.has(name) && !unread.has(name)) return this.startMark(name, values);
    const paragraph = closesParagraph.has(name) ? this.firstEnded(paragraphEnd) : -1;
    if (paragraph >= 0) this.closeFrom(paragraph);
    const own = rules.get(name) ?? (headings.includes(name) ? headingEnd : undefined);
    const ended = own ? this.firstEnded(own) : -1;
    if (ended >= 0) this.closeFrom(ended);
    if (empty.has(name)) return void this.out.push(`<${name}>`);
    if (unread.has(name)) return this.push({ name, tag: "span" }, "<span hidden>");
    const written = [...values].map(([key, value]) => ` ${key}="${value}"`).join("");
    this.push({ name, tag: name }, `<${name}${written}>`);
  }

  end(name: string): void {
    if (name === "br" || (name === "p" && this.find("p") < 0)) return this.start(name, new Map());
    if (this.ignored > 0 && (structure.has(name) || unread.has(name))) return void this.ignored--;
    const at = this.find(name);
    // Bold type that ends within another element is open until its parent ends.
    const isShaping = !bold.has(name) || at === this.open.length - 1;
    if (at >= 0 && isShaping) this.closeFrom(at);
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

const tagName = /[a-z][^\s/>]*/iy;
const space = /[\s/]*/y;
/** An attribute's name, and its value in one of three spellings. */
const attribute = /([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;
const rawEnds = new Map([...raw].map((name) => [name, new RegExp(`</${name}(?=[\\s/>])`, "gi")]));

/** Reads the rest of a start tag from `at`. */
function readAttributes(
  source: string,
  at: number,
): { values: Map<string, string>; isClosed: boolean; end: number } {
  const values = new Map<string, string>();
  for (let end = at; ; end = attribute.lastIndex) {
    space.lastIndex = end;
    space.exec(source);
    end = space.lastIndex;
    if (end >= source.length || source[end] === ">")
      return { values, isClosed: source[end - 1] === "/", end: end + 1 };
    attribute.lastIndex = end;
    const [, name = "", double, single, bare] = attribute.exec(source)!;
    const value = (double ?? single ?? bare ?? "").trim();
    const key = name.length > longestValue ? "" : name.toLowerCase();
    if (attributes.has(key) && !values.has(key) && /^[\w-]*$/.test(value.slice(0, 1_000)))
      values.set(key, value.slice(0, longestValue));
  }
}

/**
 * Rewrites a page so that any parser reads it in linear time: elements are closed, not nested deeply,
 * and have few attributes; what isn't text or its structure is gone.
 */
export function tidyHtml(source: string): string {
  const tidied = new Tidied();
  const after = (text: string, from: number): number => {
    const found = source.indexOf(text, from);
    return found < 0 ? source.length : found + text.length;
  };
  for (let at = 0; at < source.length;) {
    const tag = source.indexOf("<", at);
    if (tag !== at) tidied.addText(source.slice(at, tag < 0 ? undefined : tag));
    if (tag < 0) break;
    const isEnd = source[tag + 1] === "/";
    tagName.lastIndex = isEnd ? tag + 2 : tag + 1;
    const name = tagName.exec(source)?.[0].toLowerCase();
    if (source.startsWith("<!--", tag)) at = after("-->", tag + 2);
    else if (name === undefined) {
      const isText = !isEnd && !/[!?]/.test(source[tag + 1] ?? "");
      if (isText) tidied.addText("<");
      at = isText ? tag + 1 : after(">", tag + 1);
    } else if (isEnd) {
      at = after(">", tagName.lastIndex);
      tidied.end(name);
    } else {
      const { values, isClosed, end } = readAttributes(source, tagName.lastIndex);
      at = end;
      const rawEnd = rawEnds.get(name);
      if (rawEnd) {
        rawEnd.lastIndex = at;
        at = rawEnd.exec(source)?.index ?? source.length;
        continue;
      }
      tidied.start(name, values);
      if (isClosed && unread.has(name)) tidied.end(name);
      if (name === "pre" && source[at] === "\n") at += 1;
    }
  }
  return tidied.build();
}
