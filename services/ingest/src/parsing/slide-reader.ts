import path from "node:path/posix";
import { cleanText } from "./decode-text.ts";
import { formatNumber } from "./number-format.ts";
import { paragraph, type Block } from "./office-block.ts";
import { AlternateContent, altText, isShown, type Relation } from "./office-part.ts";
import { MathReader } from "./read-math.ts";
import type { XmlHandlers } from "./read-xml.ts";
import { readInFont } from "./symbol-fonts.ts";
import { TableGrid } from "./table-grid.ts";

/** Placeholders that repeat on every slide, without saying anything. */
const furniture = new Set(["sldNum", "dt", "sldImg"]);
const margins = new Set(["ftr", "hdr"]);
const shapes = new Set(["sp", "pic", "graphicFrame", "cxnSp"]);
const isTrue = (value: string | undefined): boolean => value === "1" || value === "true";
const paragraphProperties = /^(?:lvl[1-9])?pPr$/;
const levelIn = /^lvl([1-9])pPr$/;

/** A shape with its picture, which is added when its size is known. */
interface Shape {
  placeholder: string | null;
  picture: string | null;
  size: { width: number; height: number } | null;
  numbers: SlideNumbers;
  /** Numbering that its list styles give each level. */
  styles: (AutoNumber | undefined)[];
}
const newShape = (): Shape => ({
  placeholder: null,
  picture: null,
  size: null,
  numbers: new SlideNumbers(),
  styles: [],
});

/** Reads a slide or its notes in one pass: shapes in order, with tables, formulas and pictures. */
export class SlideReader implements XmlHandlers {
  title = "";
  isHidden = false;
  readonly blocks: Block[] = [];
  /** Headers and footers. */
  readonly margins: string[] = [];
  readonly pictures = new Set<string>();
  private readonly parents: string[] = [];
  private readonly alternatives = new AlternateContent();
  private shape = newShape();
  private math: MathReader | null = null;
  private grid: TableGrid | null = null;
  private cell: { blocks: Block[]; columns: number; isAbove: boolean; isLeft: boolean } | null =
    null;
  private line = "";
  private level = 0;
  private hasPlain = false;
  private isBold = false;
  private font: string | null = null;
  private numbering: AutoNumber | "none" | null = null;
  private isText = false;
  private hasHeaderRow = false;
  private skip = 0;
  private shown = 0;

  constructor(
    private readonly relations: ReadonlyMap<string, Relation>,
    /** Charts and diagrams by the id of their relation. */
    private readonly inserted: ReadonlyMap<string, Block[]>,
  ) {}

  open(name: string, attributes: Record<string, string>): void {
    if (this.skip > 0) return void this.skip++;
    if (this.math) return this.math.open(name, attributes);
    if (this.alternatives.skips(name, this.shown)) return void (this.skip = 1);
    const parent = this.parents.at(-1) ?? "";
    this.parents.push(name);
    if (shapes.has(name)) this.shape = newShape();
    else if (name === "oMath" || name === "oMathPara") {
      this.math = new MathReader();
      this.math.open(name, attributes);
    } else if (paragraphProperties.test(parent) || paragraphProperties.test(name))
      this.readParagraphProperty(name, parent, attributes);
    else this.openContent(name, attributes);
  }

  text(text: string): void {
    if (this.skip > 0) return;
    if (this.math) this.math.text(text);
    else if (this.isText) this.addText(readInFont(this.font, text));
  }

  close(name: string): void {
    if (this.skip > 0) return void this.skip--;
    if (this.math) {
      const formula = this.math.close(name);
      if (formula === null) return;
      this.math = null;
      this.parents.pop();
      return this.addText(formula);
    }
    this.parents.pop();
    this.alternatives.close(name);
    if (name === "t") this.isText = false;
    else if (name === "p") this.closeParagraph();
    else if (name === "tc") this.closeCell();
    else if (name === "tbl" && this.grid) {
      const { grid } = this;
      this.grid = null;
      if (grid.rows.length > 0) this.add([{ kind: "table", grid }]);
    } else if (shapes.has(name)) this.closeShape();
  }

  private openContent(name: string, attributes: Record<string, string>): void {
    switch (name) {
      case "sld":
        this.isHidden = ["0", "false"].includes(attributes.show ?? "");
        break;
      case "ph":
        this.shape.placeholder = attributes.type ?? "body";
        break;
      case "p":
        this.line = "";
        this.level = 0;
        this.hasPlain = false;
        this.numbering = null;
        break;
      case "r":
      case "fld":
        this.isBold = false;
        this.font = null;
        break;
      case "rPr":
        this.isBold = isTrue(attributes.b);
        break;
      case "latin":
      case "sym":
        if (this.parents.at(-2) === "rPr") this.font = attributes.typeface ?? null;
        break;
      case "t":
        this.isText = true;
        break;
      case "br":
        this.addText("\n");
        break;
      case "tbl":
        this.grid = new TableGrid();
        break;
      case "tblPr":
        this.hasHeaderRow = isTrue(attributes.firstRow);
        break;
      case "tr":
        this.grid?.startRow(this.hasHeaderRow && this.grid.rows.length === 0);
        break;
      case "tc":
        this.cell = {
          blocks: [],
          columns: 1,
          isAbove: isTrue(attributes.vMerge),
          isLeft: isTrue(attributes.hMerge),
        };
        break;
      default:
        this.openDrawing(name, attributes);
    }
  }

  private openDrawing(name: string, attributes: Record<string, string>): void {
    const { id = "" } = attributes;
    if (name === "cNvPr") this.add(altText(attributes.descr ?? ""));
    else if (name === "blip" && (this.parents.includes("pic") || this.parents.includes("sp")))
      this.shape.picture = this.relations.get(attributes.embed ?? "")?.target ?? null;
    else if (name === "ext" && attributes.cx !== undefined)
      this.shape.size ??= { width: Number(attributes.cx), height: Number(attributes.cy) };
    else if (name === "chart") this.add(this.inserted.get(id) ?? []);
    else if (name === "relIds") this.add(this.inserted.get(attributes.dm ?? "") ?? []);
    else if (name === "oleObj") {
      const target = this.relations.get(attributes["r:id"] ?? id)?.target;
      if (target !== undefined && !target.endsWith(".bin"))
        this.add([paragraph(`[Embedded file: ${path.basename(target)}]`)]);
    }
  }

  private readParagraphProperty(
    name: string,
    parent: string,
    attributes: Record<string, string>,
  ): void {
    if (name === "pPr") this.level = Math.min(8, Math.max(0, Number(attributes.lvl) || 0));
    const isNumber = name === "buAutoNum";
    if (!isNumber && name !== "buNone" && name !== "buChar" && name !== "buBlip") return;
    const numbering = { type: attributes.type ?? "", start: Number(attributes.startAt) || 1 };
    const style = levelIn.exec(parent)?.[1];
    if (style === undefined) this.numbering = isNumber ? numbering : "none";
    else if (isNumber) this.shape.styles[Number(style) - 1] = numbering;
  }

  private addText(text: string): void {
    this.line += text;
    if (text.trim() === "") return;
    this.shown++;
    if (!this.isBold) this.hasPlain = true;
  }

  private add(blocks: readonly Block[]): void {
    if (blocks.length > 0) this.shown++;
    const target = this.cell?.blocks ?? this.blocks;
    for (const block of blocks) target.push(block);
  }

  private closeParagraph(): void {
    const text = cleanText(this.line).trim();
    this.line = "";
    const { placeholder, numbers, styles } = this.shape;
    if (text === "" || furniture.has(placeholder ?? "")) return;
    if (placeholder !== null && margins.has(placeholder)) this.margins.push(text);
    else if ((placeholder === "title" || placeholder === "ctrTitle") && !this.cell)
      this.title = `${this.title} ${text}`.trim();
    else {
      const numbering = this.numbering ?? styles[this.level] ?? null;
      const number = numbers.next(this.level, numbering === "none" ? null : numbering);
      this.add([{ kind: "paragraph", text: number + text, isBold: !this.hasPlain }]);
    }
  }

  private closeCell(): void {
    const { cell, grid } = this;
    this.cell = null;
    if (!cell || !grid) return;
    if (cell.isAbove) grid.continueAbove();
    else if (cell.isLeft) grid.spread(1);
    else grid.add(cell.blocks);
  }

  private closeShape(): void {
    const { picture, size } = this.shape;
    this.shape = newShape();
    if (picture === null || (size && !isShown(size))) return;
    this.pictures.add(picture);
    this.add([{ kind: "picture", part: picture }]);
  }
}

/** PowerPoint's names of number formats, without their punctuation. */
const numberFormats: [RegExp, string][] = [
  [/^arabicDb/, "decimalFullWidth"],
  [/^arabic/, "decimal"],
  [/^romanUc/, "upperRoman"],
  [/^romanLc/, "lowerRoman"],
  [/^alphaUc/, "upperLetter"],
  [/^alphaLc/, "lowerLetter"],
  [/^circleNum/, "decimalEnclosedCircle"],
  [/^ea1Ch[st]/, "chineseCounting"],
  [/^ea1Jpn/, "japaneseCounting"],
  [/^hebrew/, "hebrew2"],
  [/^thaiAlpha/, "thaiLetters"],
  [/^thaiNum/, "thaiNumbers"],
  [/^hindi/, "hindiNumbers"],
];

/** How a paragraph of a slide is numbered. */
interface AutoNumber {
  type: string;
  start: number;
}

/** Numbers of the lists in one text on a slide. */
class SlideNumbers {
  private readonly counters: ({ type: string; value: number } | undefined)[] = [];

  /** The text before a paragraph: its number, or nothing. */
  next(level: number, numbering: AutoNumber | null): string {
    this.counters.length = Math.min(this.counters.length, level + 1);
    if (numbering === null) {
      this.counters.length = Math.min(this.counters.length, level);
      return "";
    }
    const { type, start } = numbering;
    const last = this.counters[level];
    const value = last?.type === type ? last.value + 1 : start;
    this.counters[level] = { type, value };
    const format = numberFormats.find(([pattern]) => pattern.test(type))?.[1] ?? "decimal";
    const number = formatNumber(value, format);
    if (/ParenBoth$/.test(type)) return `(${number}) `;
    if (/ParenR$/.test(type)) return `${number}) `;
    if (/Period$/.test(type)) return `${number}. `;
    return /Minus$/.test(type) ? `${number} - ` : `${number} `;
  }
}
