import { cleanText } from "./decode-text.ts";
import { OdfFrames, type OdfObjects } from "./odf-frames.ts";
import { OdfCounters, OdfLists, type OdfStyles } from "./odf-styles.ts";
import { paragraph, type Block } from "./office-block.ts";
import { MathReader } from "./read-math.ts";
import type { XmlHandlers } from "./read-xml.ts";
import { TableGrid } from "./table-grid.ts";

/** Elements that aren't part of the text. */
const silentElements = new Set([
  "tracked-changes",
  "annotation-end",
  "sequence-decls",
  "font-face-decls",
  "date-time-decl",
  "ruby-text",
  "date-string",
  "creator-initials",
  "table-of-content-source",
  "alphabetical-index-source",
  "user-index-source",
  "bibliography-source",
  "note-citation",
  "hidden-text",
  "event-listeners",
]);

/** Parts of a document that are collected separately, by element. */
const marginElement = /^(header|footer)(?:-left|-first)?$/;
const maxSpaces = 1_000;
/** Text boxes aren't read deeper, since each passes its blocks on. */
const deepestContainer = 100;

/** A place for paragraphs: the body, a cell, a note, a comment, a text box. */
interface Container {
  blocks: Block[];
  /** Paragraphs that are open around it. */
  depth: number;
}
interface Paragraph {
  text: string;
  /** Level of a heading; 0 for text. */
  level: number;
  isNumbered: boolean;
  start: number | null;
  style: string | undefined;
  hasPlain: boolean;
  after: Block[];
}

/** Reads OpenDocument text, presentations and charts in one pass into blocks. */
export class OdfReader implements XmlHandlers {
  readonly blocks: Block[] = [];
  readonly margins = { header: new Set<string>(), footer: new Set<string>() };
  readonly frames: OdfFrames;
  /** Kind of a part that isn't text: a formula or a chart. */
  kind: "math" | "chart" | null = null;
  private readonly containers: Container[] = [{ blocks: this.blocks, depth: 0 }];
  private readonly paragraphs: Paragraph[] = [];
  private readonly spans: (string | undefined)[] = [];
  private readonly lists: OdfLists;
  private readonly outline = new OdfCounters();
  private readonly tables = new OdfTables();
  private readonly parents: string[] = [];
  private remarks: Block[] = [];
  private notes = 0;
  private math: MathReader | null = null;
  private number: string | null = null;
  private author = "";
  private skip = 0;

  constructor(
    private readonly styles: OdfStyles,
    objects: OdfObjects,
    /** Makes blocks of what is collected separately: comments and notes. */
    private readonly textOf: (blocks: readonly Block[]) => string,
  ) {
    this.lists = new OdfLists(styles.lists);
    this.frames = new OdfFrames(styles, objects);
  }

  open(name: string, attributes: Record<string, string>): void {
    if (this.skip > 0) return void this.skip++;
    if (this.math) return this.math.open(name, attributes);
    if (silentElements.has(name) || this.isHidden(name, attributes)) return void (this.skip = 1);
    this.parents.push(name);
    if (this.styles.open(name, attributes)) return;
    if (this.frames.open(name, attributes)) return this.addFramed();
    if (this.tables.open(name, attributes)) {
      if (name === "table-cell") this.openContainer();
      return;
    }
    this.openContent(name, attributes);
  }

  text(text: string): void {
    if (this.skip > 0) return;
    if (this.math) this.math.text(text);
    else if (this.frames.isDescription) this.frames.text(text);
    else if (this.parents.at(-1) === "creator") this.author += text;
    else if (this.parents.at(-1) === "number") this.number = (this.number ?? "") + text;
    else this.addText(text.replace(/\s+/g, " "));
  }

  close(name: string): void {
    if (this.skip > 0) return void this.skip--;
    if (this.math) {
      const formula = this.math.close(name);
      if (formula === null) return;
      this.math = null;
      this.parents.pop();
      return this.addFormula(formula);
    }
    this.parents.pop();
    this.styles.close(name);
    if (this.frames.close(name)) this.addFramed();
    else if (name === "h" || name === "p") this.closeParagraph();
    else if (name === "span") this.spans.pop();
    else if (name === "list") this.lists.close();
    else if (name === "table-cell") this.tables.closeCell(this.closeContainer());
    else if (name === "table") this.closeTable();
    else if (name === "table-header-rows") this.tables.closeHeader();
    else if (name === "text-box") this.closeTextBox();
    else if (name === "annotation") this.closeComment();
    else if (name === "note-body") this.closeNote();
    else if (name === "notes") this.closeSpeakerNotes();
    else if (
      name === "header-decl" ||
      name === "footer-decl" ||
      (marginElement.test(name) && this.containers.length > 1)
    )
      this.closeMargin(name.startsWith("header") ? "header" : "footer");
  }

  private isHidden(name: string, attributes: Record<string, string>): boolean {
    if (name === "section") return attributes.display === "none";
    if (name === "text-box") return this.containers.length > deepestContainer;
    // The date of a comment; elsewhere it is a field.
    if (name === "date") return this.parents.at(-1) === "annotation";
    if (name === "hidden-paragraph") return true;
    if (marginElement.test(name) && attributes.display === "false") return true;
    const family = name === "span" ? "text" : name === "p" || name === "h" ? "paragraph" : null;
    return family !== null && this.styles.isHidden(family, attributes["style-name"]);
  }

  private openContent(name: string, attributes: Record<string, string>): void {
    if (name === "h" || name === "p") this.openParagraph(name, attributes);
    else if (name === "span") this.spans.push(attributes["style-name"]);
    else if (name === "s")
      this.addText(" ".repeat(Math.min(maxSpaces, Math.max(1, Number(attributes.c) || 1))));
    else if (name === "tab") this.addText("\t");
    else if (name === "line-break") this.addText("\n");
    else if (name === "list") this.lists.open(attributes);
    else if (name === "list-item" || name === "list-header")
      this.lists.openItem(name === "list-item", attributes["start-value"]);
    else if (name === "chart" && this.parents.at(-2) === "body") this.kind = "chart";
    else if (name === "math") {
      if (this.parents.length === 1) this.kind = "math";
      this.math = new MathReader();
      this.math.open(name, attributes);
    } else if (name === "annotation") {
      this.author = "";
      this.openContainer();
    } else if (name === "note-body") {
      const mark = `[${++this.notes}]`;
      this.addText(mark);
      this.openContainer();
      this.containers.at(-1)!.blocks.push(paragraph(mark));
    } else if (name === "text-box" || name === "notes") this.openContainer();
    else if (name === "page") this.blocks.push(this.frames.openSlide(attributes));
    else if (name === "param" && /checked/i.test(attributes.name ?? ""))
      this.addText(attributes.value === "true" ? "☒" : "☐");
    else if (
      name === "header-decl" ||
      name === "footer-decl" ||
      (marginElement.test(name) && this.parents.at(-2) === "master-page")
    ) {
      this.openContainer();
      if (name.endsWith("decl")) this.openParagraph("p", {});
    }
  }

  private openParagraph(name: string, attributes: Record<string, string>): void {
    const level = Math.trunc(Number(attributes["outline-level"])) || 1;
    const start = attributes["start-value"];
    this.paragraphs.push({
      text: "",
      level: name === "h" ? Math.min(10, Math.max(1, level)) : 0,
      isNumbered: attributes["is-list-header"] !== "true",
      start: attributes["restart-numbering"] === "true" || start ? Number(start ?? 1) || 0 : null,
      style: attributes["style-name"],
      hasPlain: false,
      after: [],
    });
  }

  private openContainer(): void {
    this.containers.push({ blocks: [], depth: this.paragraphs.length });
    this.lists.suspend();
  }

  private closeContainer(): Block[] {
    if (this.containers.length < 2) return [];
    this.lists.resume();
    return this.containers.pop()!.blocks;
  }

  /** The paragraph that is open in the innermost container. */
  private get current(): Paragraph | undefined {
    return this.paragraphs.length > this.containers.at(-1)!.depth
      ? this.paragraphs.at(-1)
      : undefined;
  }

  private addText(text: string): void {
    const { current } = this;
    if (!current || text === "") return;
    current.text += text;
    const span = this.spans.at(-1);
    const isBold =
      this.styles.isBold("text", span) || this.styles.isBold("paragraph", current.style);
    if (text.trim() !== "" && !isBold) current.hasPlain = true;
  }

  private addFramed(): void {
    const { inline, blocks } = this.frames.take();
    if (inline !== "") this.addFormula(inline);
    this.add(blocks);
  }

  private addFormula(formula: string): void {
    if (this.current) this.addText(formula);
    else this.add([paragraph(formula)]);
  }

  private add(blocks: readonly Block[]): void {
    const { current } = this;
    const target = current?.after ?? this.containers.at(-1)!.blocks;
    for (const block of blocks) target.push(block);
  }

  private addRemarks(): void {
    if (this.containers.length > 1 || this.remarks.length === 0) return;
    for (const remark of this.remarks) this.blocks.push(remark);
    this.remarks = [];
  }

  private closeParagraph(): void {
    const done = this.paragraphs.pop();
    const { blocks } = this.containers.at(-1)!;
    if (!done) return;
    const text = cleanText(done.text).trim();
    const label = this.labelOf(done);
    this.number = null;
    if (text !== "") {
      if (done.level > 0)
        blocks.push({
          kind: "heading",
          level: Math.min(6, done.level),
          text: label === null || label === "- " ? text : label + text,
        });
      else if (label !== null) blocks.push({ kind: "item", text: label + text });
      else blocks.push({ kind: "paragraph", text, isBold: !done.hasPlain });
    }
    for (const block of done.after) blocks.push(block);
    this.addRemarks();
  }

  private labelOf({ level, isNumbered, start, style }: Paragraph): string | null {
    const label = this.lists.label();
    // Writers may store the number that they show.
    if (this.number?.trim()) return `${this.number.trim()} `;
    if (label !== null || level === 0) return label;
    if (!isNumbered || this.styles.isUnnumbered(style) || !this.styles.outline[level - 1])
      return null;
    const number = this.outline.next(this.styles.outline, level - 1, start);
    return number === null || number === "" ? null : `${number} `;
  }

  private closeTextBox(): void {
    const blocks = this.closeContainer();
    if (!this.frames.takesTitle(this.textOf(blocks))) this.add(blocks);
  }

  private closeTable(): void {
    const grid = this.tables.closeTable();
    if (grid && grid.rows.length > 0) this.add([{ kind: "table", grid }]);
    this.addRemarks();
  }

  private closeComment(): void {
    const text = this.textOf(this.closeContainer());
    const by = cleanText(this.author).trim();
    if (text !== "") this.remarks.push(paragraph(`Comment${by && ` by ${by}`}: ${text}`));
    this.addRemarksOutside();
  }

  /** A comment on a slide isn't in a paragraph. */
  private addRemarksOutside(): void {
    if (this.paragraphs.length === 0) this.addRemarks();
  }

  private closeNote(): void {
    this.remarks.push(paragraph(this.textOf(this.closeContainer()).replace("\n", " ")));
  }

  private closeSpeakerNotes(): void {
    const text = this.textOf(this.closeContainer());
    if (text !== "") this.add([paragraph(`Notes: ${text}`)]);
  }

  private closeMargin(kind: "header" | "footer"): void {
    if (this.current) this.closeParagraph();
    const text = this.textOf(this.closeContainer());
    if (/\p{L}/u.test(text)) this.margins[kind].add(text);
  }
}

/** Limit on repeats of one cell, since tables may be padded. */
const maxRepeatedColumns = 200;
const count = (value: string | undefined, limit = maxRepeatedColumns): number =>
  Math.min(limit, Math.max(1, Math.trunc(Number(value)) || 1));

interface OpenTable {
  grid: TableGrid;
  isHeader: boolean;
  cell: { columns: number; rows: number; repeated: number };
}

/** Open tables of an OpenDocument text, the innermost last, with their merged cells. */
class OdfTables {
  private readonly tables: OpenTable[] = [];

  /** Whether the element belongs to a table's structure. */
  open(name: string, attributes: Record<string, string>): boolean {
    if (name === "table") {
      this.tables.push({
        grid: new TableGrid(),
        isHeader: false,
        cell: { columns: 1, rows: 1, repeated: 1 },
      });
      return true;
    }
    const table = this.tables.at(-1);
    if (!table) return false;
    if (name === "table-header-rows") table.isHeader = true;
    else if (name === "table-rows") table.isHeader = false;
    else if (name === "table-row") table.grid.startRow(table.isHeader);
    else if (name === "table-cell")
      table.cell = {
        columns: count(attributes["number-columns-spanned"]),
        rows: count(attributes["number-rows-spanned"], Infinity),
        repeated: count(attributes["number-columns-repeated"]),
      };
    else if (name === "covered-table-cell")
      for (let i = count(attributes["number-columns-repeated"]); i > 0; i--) table.grid.cover();
    else return false;
    return true;
  }

  closeHeader(): void {
    const table = this.tables.at(-1);
    if (table) table.isHeader = false;
  }

  closeCell(blocks: Block[]): void {
    const table = this.tables.at(-1);
    if (!table) return;
    const { grid, cell } = table;
    const { column } = grid;
    for (let i = 0; i < cell.repeated; i++) grid.add(i === 0 ? blocks : [...blocks]);
    if (cell.rows > 1) grid.openRowsBelow(column, cell.columns, cell.rows);
  }

  closeTable(): TableGrid | null {
    return this.tables.pop()?.grid ?? null;
  }
}
