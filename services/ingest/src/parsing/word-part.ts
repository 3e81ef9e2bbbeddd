import path from "node:path/posix";
import type { KnownFault } from "@carrel/contracts";
import type { Archive } from "./archive.ts";
import { ClauseNumbers } from "./clause-numbers.ts";
import { cleanText } from "./decode-text.ts";
import { readDrawing } from "./inserted-drawing.ts";
import { paragraph, type Block } from "./office-block.ts";
import { readRelations, type Relation } from "./office-part.ts";
import type { WordParagraph } from "./word-paragraph.ts";
import { WordStyles } from "./word-styles.ts";

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
