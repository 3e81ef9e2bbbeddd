import path from "node:path/posix";
import type { KnownFault } from "@carrel/contracts";
import type { Archive } from "./archive.ts";
import { cleanText } from "./decode-text.ts";
import { readDrawing } from "./inserted-drawing.ts";
import { formatNumber } from "./number-format.ts";
import { paragraph, type Block } from "./office-block.ts";
import { readRelations, type Relation } from "./office-part.ts";
import { readXmlPart } from "./read-xml.ts";
import type { WordParagraph } from "./word-paragraph.ts";
import { WordStyles, isOn } from "./word-styles.ts";

/** Deeper headings count as the deepest, as in HTML. */
const deepestHeading = 6;
/** A longer paragraph with an outline level is text. */
const longestHeading = 300;

/** Spaces as one, around lines and between words. */
const tidy = (text: string): string =>
  cleanText(text)
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .trim();

/** State shared by all parts of a Word document. */
export class WordDocument {
  readonly styles = new WordStyles();
  readonly numbers = new ClauseNumbers((style) => this.styles.list(style)?.list ?? null);
  /** By kind and id ("footnote 1"). */
  readonly notes = new Map<string, { mark: string; text: string }>();
  readonly comments = new Map<string, string>();
  /** Faults about what was left out, shown to people. */
  readonly faults: KnownFault[] = [];
  hasEvenPages = false;

  /** A paragraph with its number, if its list gives it one; null without text. */
  blockOf(source: WordParagraph): Block | null {
    const text = tidy(source.text);
    const label = this.labelOf(source);
    if (text === "") return null;
    const level = this.levelOf(source, text);
    if (level > 0)
      return {
        kind: "heading",
        level: Math.min(deepestHeading, level),
        text: label && !label.isBullet ? label.text + text : text,
      };
    if (label) return { kind: "item", text: label.isBullet ? `- ${text}` : label.text + text };
    const isBold = !source.hasPlain || (source.style !== null && this.styles.isBold(source.style));
    return { kind: "paragraph", text, isBold };
  }

  private levelOf({ outline, style }: WordParagraph, text: string): number {
    if (outline !== null) return outline < 9 && text.length <= longestHeading ? outline + 1 : 0;
    return style === null ? 0 : this.styles.headingLevel(style);
  }

  private labelOf({ list, level, style }: WordParagraph): ReturnType<ClauseNumbers["next"]> {
    const inherited = style === null ? null : this.styles.list(style);
    const id = list ?? inherited?.list ?? null;
    if (id === null || id === "0") return null;
    const styled = style === null ? null : this.numbers.levelOfStyle(id, style);
    return this.numbers.next(id, Math.min(8, level ?? styled ?? inherited?.level ?? 0));
  }
}

/** One part of a Word document: its relations, and what they insert into it. */
export class WordPart {
  private constructor(
    readonly document: WordDocument,
    readonly relations: ReadonlyMap<string, Relation>,
    /** Charts, diagrams and embedded documents by the id of their relation. */
    readonly inserted: ReadonlyMap<string, Block[]>,
  ) {}

  static async open(
    archive: Archive,
    name: string,
    document: WordDocument,
    readChunk: (part: string) => Promise<Block[]>,
  ): Promise<WordPart> {
    const relations = await readRelations(archive, name);
    const inserted = new Map<string, Block[]>();
    for (const [id, relation] of relations) {
      if (!archive.has(relation.target)) continue;
      const blocks =
        relation.type === "aFChunk"
          ? await readChunk(relation.target)
          : await readDrawing(archive, relation, (note) => document.faults.push(note));
      if (blocks) inserted.set(id, blocks);
    }
    return new WordPart(document, relations, inserted);
  }

  comment(id: string): Block[] {
    const text = this.document.comments.get(id);
    return text === undefined ? [] : [paragraph(text)];
  }

  /** The name of an embedded file; its content isn't read. */
  embeddedFile(id: string): Block[] {
    const target = this.relations.get(id)?.target;
    return target === undefined || target.endsWith(".bin")
      ? []
      : [paragraph(`[Embedded file: ${path.basename(target)}]`)];
  }
}

/** A level of a list definition. */
interface Level {
  start: number;
  format: string;
  /** `%1` to `%9` stand for the numbers of the levels. */
  text: string;
  /** 0 never restarts; n restarts after a paragraph of level n or higher; null after any. */
  restart: number | null;
  isLegal: boolean;
  suffix: string;
  /** The paragraph style that is numbered at this level. */
  style: string | null;
  /** Digits of a custom format such as 001. */
  digits: number;
}

interface Definition {
  levels: (Level | undefined)[];
  /** The numbering style that really defines the list. */
  numberingStyle: string | null;
  counters: (number | undefined)[];
}

interface List {
  definition: string;
  starts: (number | undefined)[];
  levels: (Level | undefined)[];
  /** Levels whose own start has been used. */
  started: Set<number>;
}

const levels = 9;
const longestLabel = 100;

const newLevel = (): Level => ({
  start: 1,
  format: "decimal",
  text: "",
  restart: null,
  isLegal: false,
  suffix: "tab",
  style: null,
  digits: 0,
});
const toLevel = (value: string | undefined): number =>
  Math.min(levels - 1, Math.max(0, Math.trunc(Number(value)) || 0));

/** The text before a paragraph: a number with its separator, or a bullet. */
interface Label {
  text: string;
  isBullet: boolean;
}

/**
 * Numbers of a Word document's clauses and lists, counted as Word does: paragraphs of all lists with
 * one definition share their counters, and a number restarts after one of a higher level.
 */
class ClauseNumbers {
  private readonly definitions = new Map<string, Definition>();
  private readonly lists = new Map<string, List>();

  /** `listOfStyle` gives the list of a numbering style. */
  constructor(private readonly listOfStyle: (style: string) => string | null) {}

  /** The level at which a list numbers paragraphs of a style, if it names it. */
  levelOfStyle(listId: string, style: string): number | null {
    const list = this.lists.get(listId);
    const found = (list && this.definitionOf(list)?.levels)?.findIndex((l) => l?.style === style);
    return found === undefined || found < 0 ? null : found;
  }

  /** Counts a paragraph of a list. Null without a label. */
  next(listId: string, depth: number): Label | null {
    const list = this.lists.get(listId);
    const definition = list && this.definitionOf(list);
    if (!list || !definition) return null;
    const levelAt = (index: number): Level | undefined =>
      list.levels[index] ?? definition.levels[index];
    const level = levelAt(depth);
    if (!level) return null;
    const { counters } = definition;
    const ownStart = list.starts[depth];
    if (ownStart !== undefined && !list.started.has(depth)) counters[depth] = ownStart;
    else counters[depth] = counters[depth] === undefined ? level.start : counters[depth] + 1;
    list.started.add(depth);
    for (let deeper = depth + 1; deeper < levels; deeper++) {
      const restart = levelAt(deeper)?.restart ?? null;
      if (restart === null ? true : restart > 0 && depth < restart) counters[deeper] = undefined;
    }
    if (level.format === "bullet") return { text: "-", isBullet: true };
    const text = level.text.replace(/%([1-9])/g, (_, digit: string) => {
      const index = Number(digit) - 1;
      const shown = levelAt(index);
      if (!shown || index > depth) return "";
      const value = counters[index] ?? list.starts[index] ?? shown.start;
      if (shown.digits > 0) return String(value).padStart(shown.digits, "0");
      return formatNumber(value, level.isLegal ? "decimal" : shown.format);
    });
    if (text.trim() === "") return null;
    return { text: level.suffix === "nothing" ? text : `${text.trimEnd()} `, isBullet: false };
  }

  private definitionOf(list: List): Definition | undefined {
    const found = this.definitions.get(list.definition);
    if (!found?.numberingStyle || found.levels.length > 0) return found;
    const linked = this.lists.get(this.listOfStyle(found.numberingStyle) ?? "");
    return (linked && this.definitions.get(linked.definition)) ?? found;
  }

  /** Reads the definitions (`word/numbering.xml`). */
  async read(archive: Archive, part: string): Promise<void> {
    let definition: Definition | null = null;
    let list: List | null = null;
    let level: Level | null = null;
    let overridden = 0;
    await readXmlPart(archive, part, {
      open: (name, attributes) => {
        const value = attributes.val;
        if (name === "abstractNum") {
          definition = { levels: [], numberingStyle: null, counters: [] };
          this.definitions.set(attributes.abstractNumId ?? "", definition);
        } else if (name === "numStyleLink" && definition) definition.numberingStyle = value ?? null;
        else if (name === "num") {
          list = { definition: "", starts: [], levels: [], started: new Set() };
          this.lists.set(attributes.numId ?? "", list);
        } else if (name === "abstractNumId" && list) list.definition = value ?? "";
        else if (name === "lvlOverride") overridden = toLevel(attributes.ilvl);
        else if (name === "startOverride" && list) list.starts[overridden] = Number(value) || 0;
        else if (name === "lvl") {
          level = newLevel();
          const { levels } = list ?? definition ?? { levels: [] };
          levels[toLevel(attributes.ilvl)] = level;
        } else if (level) readLevel(level, name, attributes);
      },
      close: (name) => {
        if (name === "lvl") level = null;
        else if (name === "abstractNum") definition = null;
        else if (name === "num") list = null;
      },
    });
  }
}

function readLevel(level: Level, name: string, attributes: Record<string, string>): void {
  const value = attributes.val ?? "";
  if (name === "start") level.start = Math.trunc(Number(value)) || 0;
  else if (name === "numFmt" && level.digits === 0) {
    level.format = value;
    // 001, 002, 003, ...; readers without custom formats get decimals.
    if (value === "custom")
      level.digits = /^0*1(?=,)/.exec(attributes.format ?? "")?.[0].length ?? 0;
  } else if (name === "lvlText") level.text = value.slice(0, longestLabel);
  else if (name === "lvlRestart") level.restart = Math.trunc(Number(value)) || 0;
  else if (name === "isLgl") level.isLegal = isOn(attributes.val);
  else if (name === "suff") level.suffix = value;
  else if (name === "pStyle") level.style = value;
  else if (name === "lvlPicBulletId") level.format = "bullet";
}
