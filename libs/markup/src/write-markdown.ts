import { clipText } from "@carrel/contracts";
import { textOf, type MarkupElement, type MarkupNode } from "./markup-tree.ts";

const blocks = new Set(
  (
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption " +
    "figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary " +
    "table tbody td tfoot th thead tr ul"
  ).split(" "),
);
const left = new Set(["script", "style", "template", "noscript", "head", "svg", "colgroup", "col"]);
const marks = new Map([
  ["strong", "**"],
  ["b", "**"],
  ["em", "*"],
  ["i", "*"],
  ["del", "~~"],
  ["s", "~~"],
  ["strike", "~~"],
]);
/** Deeper lists and quotes are written at this indentation. */
const longestPrefix = 40;
const longestLink = 2_000;
const maxSpan = 20;
/** Cells beyond don't reach into the next rows. */
const maxColumns = 100;
/** A longer text isn't repeated in each row that its cell spans. */
const longestRepeated = 200;

/** Writes HTML elements as Markdown; of others, only their children. Links are made absolute. */
export function writeMarkdown(nodes: readonly MarkupNode[], base?: string): string {
  const writer = new MarkdownWriter(base);
  writer.writeBlocks(nodes);
  return writer.text;
}

class MarkdownWriter {
  private readonly lines: string[] = [];
  private readonly withBlocks = new WeakMap<MarkupElement, boolean>();
  private prefix = "";
  /** Stands in place of the end of the prefix in the next line. */
  private marker: string | null = null;
  private isGapDue = false;
  private isTight = false;

  constructor(private readonly base: string | undefined) {}

  get text(): string {
    return this.lines.join("\n").trim();
  }

  /** Inline nodes in a row are a paragraph. */
  writeBlocks(nodes: readonly MarkupNode[]): void {
    let row: MarkupNode[] = [];
    const flush = (): void => {
      if (row.length > 0) this.writeParagraph(row);
      row = [];
    };
    for (const node of nodes) {
      if (typeof node === "string" || !this.isBlock(node)) {
        row.push(node);
        continue;
      }
      flush();
      this.writeBlock(node);
    }
    flush();
  }

  private isBlock(node: MarkupElement): boolean {
    if (blocks.has(node.name)) return true;
    const known = this.withBlocks.get(node);
    if (known !== undefined) return known;
    const has = node.children.some((child) => typeof child !== "string" && this.isBlock(child));
    this.withBlocks.set(node, has);
    return has;
  }

  private writeBlock(node: MarkupElement): void {
    const { name, children } = node;
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (left.has(name)) return;
    if (level !== undefined) this.writeHeading(children, Number(level));
    else if (name === "pre") this.writeCode(node);
    else if (name === "ul" || name === "ol") this.writeList(node);
    else if (name === "table") this.writeTable(node);
    else if (name === "hr") this.writeLines(["---"]);
    else if (name === "blockquote") this.within("> ", () => this.writeBlocks(children));
    else if (name === "dt" || name === "summary" || name === "caption")
      this.writeParagraph([{ ...node, name: "strong" }]);
    else this.writeBlocks(children);
  }

  private writeHeading(children: readonly MarkupNode[], level: number): void {
    const text = this.writeInline(children).replaceAll("\n", " ");
    if (text !== "") this.writeLines([`${"#".repeat(level)} ${text}`]);
  }

  private writeParagraph(nodes: readonly MarkupNode[]): void {
    const text = this.writeInline(nodes);
    if (text === "") return;
    this.writeLines(text.split("\n").map((line) => (line.startsWith("#") ? `\\${line}` : line)));
  }

  private writeCode({ children, attributes }: MarkupElement): void {
    const code = textOf(children).replace(/\r\n?/g, "\n").replace(/^\n/, "").trimEnd();
    if (code.trim() === "") return;
    const longest = (code.match(/`{3,}/g) ?? []).reduce(
      (most, run) => Math.max(most, run.length),
      2,
    );
    const fence = "`".repeat(Math.min(longest + 1, 100));
    const language = /^[\w+#.-]{1,30}/.exec(attributes.get("data-language") ?? "")?.[0] ?? "";
    this.writeLines([`${fence}${language}`, ...code.split("\n"), fence]);
  }

  private writeList({ name, children, attributes }: MarkupElement): void {
    let number = Number.parseInt(attributes.get("start") ?? "1", 10) || 1;
    const wasTight = this.isTight;
    this.isGapDue = !wasTight && this.lines.length > 0;
    for (const child of children) {
      if (typeof child === "string" && child.trim() === "") continue;
      const isItem = typeof child !== "string" && child.name === "li";
      if (!isItem) {
        this.within("  ", () => this.writeBlocks([child]));
        continue;
      }
      const checked = child.attributes.get("data-checked");
      const box = checked === undefined ? "" : checked === "true" ? "[x] " : "[ ] ";
      const bullet = name === "ol" ? `${number}. ` : "- ";
      number += 1;
      const before = this.lines.length;
      this.marker = `${bullet}${box}`;
      this.isTight = true;
      this.within(" ".repeat(bullet.length), () => this.writeBlocks(child.children));
      // An empty item.
      if (this.lines.length === before) this.marker = null;
      this.isGapDue = false;
      this.isTight = wasTight;
    }
    this.isGapDue = !wasTight;
  }

  private writeTable(table: MarkupElement): void {
    const rows = rowsOf(table);
    const [only] = rows;
    // A frame around a layout, not a table.
    if (rows.length === 1 && only!.length === 1) return this.writeBlocks(only![0]!.children);
    for (const child of table.children)
      if (typeof child !== "string" && child.name === "caption") this.writeBlock(child);
    const grid = this.layOut(rows);
    const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
    if (width === 0) return;
    const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
    const isHeaded = only!.every(({ name }) => name === "th");
    this.writeLines([
      line(isHeaded ? grid.shift()! : Array.from({ length: width }, () => "")),
      line(Array.from({ length: width }, () => "---")),
      ...grid.map(line),
    ]);
  }

  /** The cells' texts by row and column. */
  private layOut(rows: readonly MarkupElement[][]): string[][] {
    /** Cells of earlier rows that reach into the next ones, by column. */
    const reaching = new Map<number, { rows: number; text: string }>();
    return rows.map((cells) => {
      const line: string[] = [];
      const fill = (): void => {
        for (let cell; (cell = reaching.get(line.length)) !== undefined;) {
          cell.rows -= 1;
          if (cell.rows === 0) reaching.delete(line.length);
          line.push(cell.text);
        }
      };
      fill();
      for (const cell of cells) {
        const text = this.writeCell(cell);
        const height = spanOf(cell, "rowspan");
        for (let column = 0; column < spanOf(cell, "colspan"); column += 1) {
          const shown = column === 0 ? text : "";
          if (height > 1 && line.length < maxColumns)
            reaching.set(line.length, {
              rows: height - 1,
              text: shown.length <= longestRepeated ? shown : "",
            });
          line.push(shown);
        }
        fill();
      }
      return line;
    });
  }

  private writeCell(cell: MarkupElement): string {
    return this.writeInline(cell.children).replace(/\n+/g, " / ").replaceAll("|", "\\|");
  }

  /** Blocks among them begin a new line. */
  private writeInline(nodes: readonly MarkupNode[]): string {
    const parts: string[] = [];
    this.collectInline(nodes, parts, new Set());
    return parts
      .join("")
      .replace(/ {2,}/g, " ")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .join("\n");
  }

  private collectInline(
    nodes: readonly MarkupNode[],
    parts: string[],
    around: ReadonlySet<string>,
  ): void {
    for (const node of nodes) {
      if (typeof node === "string") parts.push(node.replace(/\s+/g, " "));
      else if (!left.has(node.name)) this.collectElement(node, parts, around);
    }
  }

  private collectElement(node: MarkupElement, parts: string[], around: ReadonlySet<string>): void {
    const { name, attributes, children } = node;
    const mark = name === "code" && !around.has("`") ? "`" : marks.get(name);
    if (name === "br") parts.push("\n");
    else if (name === "img") parts.push(describeImage(attributes));
    else if (name === "input" && attributes.get("type") === "checkbox")
      parts.push(attributes.has("checked") ? "[x] " : "[ ] ");
    else if (name === "a" || name === "iframe") this.collectLink(node, parts, around);
    else if (mark !== undefined && !around.has(mark) && !around.has("`")) {
      const inner: string[] = [];
      this.collectInline(children, inner, new Set([...around, mark]));
      parts.push(surround(inner.join(""), mark));
    } else if (blocks.has(name)) {
      parts.push("\n");
      if (name === "li") parts.push("- ");
      this.collectInline(children, parts, around);
      parts.push("\n");
    } else this.collectInline(children, parts, around);
  }

  private collectLink(
    { name, attributes, children }: MarkupElement,
    parts: string[],
    around: ReadonlySet<string>,
  ): void {
    const href = this.resolve(attributes.get(name === "a" ? "href" : "src") ?? "");
    // A link within a link isn't one.
    if (href === null || around.has("[")) return this.collectInline(children, parts, around);
    const inner: string[] = [];
    this.collectInline(children, inner, new Set([...around, "["]));
    const text = inner.join("").trim();
    if (text.includes("\n")) parts.push(...inner);
    else if (text === "" || text === href) parts.push(name === "iframe" || text !== "" ? href : "");
    else parts.push(`[${text.replace(/[[\]]/g, "\\$&")}](${href})`);
  }

  /** null for what isn't a web or mail address. */
  private resolve(href: string): string | null {
    const typed = href.trim();
    if (typed === "" || typed.startsWith("#") || !URL.canParse(typed, this.base)) return null;
    const url = new URL(typed, this.base);
    if (!["http:", "https:", "mailto:"].includes(url.protocol)) return null;
    if (url.href.length > longestLink) return null;
    return url.href.replaceAll("(", "%28").replaceAll(")", "%29");
  }

  private within(prefix: string, write: () => void): void {
    const { prefix: before } = this;
    if (prefix.startsWith(">")) this.writeGap();
    if (before.length + prefix.length <= longestPrefix) this.prefix += prefix;
    write();
    this.prefix = before;
  }

  private writeGap(): void {
    if (this.isGapDue && this.lines.length > 0) this.lines.push(this.prefix.trimEnd());
    this.isGapDue = false;
  }

  private writeLines(lines: readonly string[]): void {
    this.writeGap();
    for (const line of lines) {
      let { prefix } = this;
      if (this.marker !== null) {
        const bullet = this.marker.replace(/\[[ x]\] $/, "").length;
        prefix = `${prefix.slice(0, Math.max(0, prefix.length - bullet))}${this.marker}`;
        this.marker = null;
      }
      this.lines.push(`${prefix}${line}`.trimEnd());
    }
    this.isGapDue = !this.isTight;
  }
}

/** The rows of a table, not of tables within it. */
function rowsOf(table: MarkupElement): MarkupElement[][] {
  const rows: MarkupElement[][] = [];
  const collect = (nodes: readonly MarkupNode[]): void => {
    for (const node of nodes) {
      if (typeof node === "string" || node.name === "table") continue;
      if (node.name !== "tr") {
        collect(node.children);
        continue;
      }
      const cells = node.children.filter(
        (cell): cell is MarkupElement =>
          typeof cell !== "string" && (cell.name === "td" || cell.name === "th"),
      );
      if (cells.length > 0) rows.push(cells);
    }
  };
  collect(table.children);
  return rows;
}

const spanOf = ({ attributes }: MarkupElement, name: string): number =>
  Math.min(maxSpan, Math.max(1, Number.parseInt(attributes.get(name) ?? "1", 10) || 1));

/** Pictures are named, not linked: whoever reads the document must not be made to fetch them. */
function describeImage(attributes: ReadonlyMap<string, string>): string {
  const source = attributes.get("src") ?? "";
  const file = source.startsWith("data:") ? "" : (source.split(/[?#]/)[0]!.split("/").at(-1) ?? "");
  const name = (attributes.get("alt") ?? "").replace(/\s+/g, " ").trim() || file;
  return name === "" ? "" : `[Image: ${clipText(name, 500)}]`;
}

/** Spaces belong outside the marks. */
function surround(text: string, mark: string): string {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.includes("\n")) return text;
  const before = text.length > text.trimStart().length ? " " : "";
  const after = text.length > text.trimEnd().length ? " " : "";
  if (mark === "`" && trimmed.includes("`")) return `${before}\`\` ${trimmed} \`\`${after}`;
  return `${before}${mark}${trimmed}${mark}${after}`;
}
