import type {
  IParagraphOptions,
  IParagraphStylePropertiesOptions,
  ParagraphChild,
  Table as DocxTable,
  Paragraph as DocxParagraph,
} from "docx";
import { ToolError } from "../tool.ts";
import {
  plainText,
  readMarkdown,
  type Block,
  type CellAlign,
  type Span,
} from "./document-blocks.ts";

type Docx = typeof import("docx");

const mostColumns = 60;
const mono = "Consolas";
const code = { size: 19, font: mono };
/** Text that begins with a letter of a script that runs from right to left. */
const isRightToLeft = (text: string): boolean =>
  /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text);

/** In twentieths of a point. */
interface Place {
  indent: number;
  isQuote: boolean;
}

/** Writes Markdown as a Word document with Word's own headings, lists, tables and links. */
export async function writeDocx(
  o: { title: string; markdown: string },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const [blocks, docx] = await Promise.all([readMarkdown(o.markdown), import("docx")]);
  signal.throwIfAborted();
  const [first] = blocks;
  const isRepeated = first?.kind === "heading" && plainText(first.spans).trim() === o.title.trim();
  const writer = new DocxWriter(docx);
  const children = [
    ...(o.title.trim() === "" || isRepeated
      ? []
      : [new docx.Paragraph({ text: o.title, heading: docx.HeadingLevel.TITLE })]),
    ...writer.blocks(blocks, { indent: 0, isQuote: false }),
  ];
  const document = new docx.Document({
    title: o.title,
    creator: "Carrel",
    styles: documentStyles,
    numbering: { config: writer.numberings },
    sections: [
      {
        properties: { page: { size: { width: 11_906, height: 16_838 } } }, // A4
        footers: {
          default: new docx.Footer({
            children: [
              new docx.Paragraph({
                alignment: docx.AlignmentType.CENTER,
                children: [
                  new docx.TextRun({
                    children: [docx.PageNumber.CURRENT],
                    size: 17,
                    color: "656360",
                  }),
                ],
              }),
            ],
          }),
        },
        children: children.length === 0 ? [new docx.Paragraph("")] : children,
      },
    ],
  });
  return docx.Packer.toBuffer(document);
}

const heading = (
  size: number,
  before: number,
): IParagraphStylePropertiesOptions & { run: object; paragraph: object } => ({
  run: { size, bold: true, color: "1f1e1c", font: "Calibri" },
  paragraph: { spacing: { before, after: 80 }, keepNext: true },
});
/** Sizes in half points. */
const documentStyles = {
  default: {
    document: {
      run: { font: "Calibri", size: 22 },
      paragraph: { spacing: { after: 140, line: 288 } },
    },
    title: {
      run: { size: 44, bold: true, color: "1f1e1c", font: "Calibri" },
      paragraph: { spacing: { after: 240 } },
    },
    heading1: heading(34, 360),
    heading2: heading(28, 300),
    heading3: heading(24, 240),
    heading4: heading(22, 220),
    heading5: heading(22, 200),
    heading6: heading(22, 200),
    hyperlink: { run: { color: "006a5e", underline: {} } },
    listParagraph: { paragraph: { spacing: { after: 60 } } },
  },
};

class DocxWriter {
  /** Each ordered list counts on its own. */
  readonly numberings: {
    reference: string;
    levels: {
      level: number;
      format: "decimal";
      text: string;
      start: number;
      style: { paragraph: { indent: { left: number; hanging: number } } };
    }[];
  }[] = [];

  constructor(private readonly docx: Docx) {}

  blocks(blocks: readonly Block[], place: Place): (DocxParagraph | DocxTable)[] {
    return blocks.flatMap((block) => this.block(block, place));
  }

  private block(block: Block, place: Place): (DocxParagraph | DocxTable)[] {
    const { Paragraph, HeadingLevel, BorderStyle } = this.docx;
    switch (block.kind) {
      case "heading": {
        const level = `HEADING_${Math.min(6, block.level)}` as keyof typeof HeadingLevel;
        return [this.paragraph(block.spans, place, { heading: HeadingLevel[level] })];
      }
      case "paragraph":
        return [this.paragraph(block.spans, place)];
      case "code":
        return [
          new Paragraph({
            shading: { fill: "F6F4F1" },
            indent: { left: place.indent + 120, right: 120 },
            spacing: { before: 60, after: 160, line: 260 },
            children: this.runs([{ text: block.text, isCode: true }]),
          }),
        ];
      case "quote":
        return this.blocks(block.blocks, { indent: place.indent + 280, isQuote: true });
      case "rule":
        return [
          new Paragraph({
            border: { bottom: { style: BorderStyle.SINGLE, size: 6, space: 1, color: "DFDDD8" } },
          }),
        ];
      case "list":
        return this.list(block, place);
      case "table":
        return [this.table(block), new Paragraph({ text: "", spacing: { after: 60 } })];
    }
  }

  private paragraph(
    spans: readonly Span[],
    { indent, isQuote }: Place,
    more: Partial<IParagraphOptions> = {},
  ): DocxParagraph {
    const { Paragraph, BorderStyle } = this.docx;
    return new Paragraph({
      children: this.runs(isQuote ? spans.map((span) => ({ ...span, color: "656360" })) : spans),
      ...(indent > 0 ? { indent: { left: indent } } : {}),
      ...(isQuote
        ? { border: { left: { style: BorderStyle.SINGLE, size: 12, space: 10, color: "DFDDD8" } } }
        : {}),
      ...(isRightToLeft(plainText(spans)) ? { bidirectional: true } : {}),
      ...more,
    });
  }

  private runs(spans: readonly (Span & { color?: string })[]): ParagraphChild[] {
    const { TextRun, ExternalHyperlink } = this.docx;
    return spans.flatMap(
      ({ text, isBold, isItalic, isStruck, isCode, link, color }): ParagraphChild[] => {
        const runs = text.split("\n").map(
          (line, index) =>
            new TextRun({
              text: line,
              ...(index > 0 ? { break: 1 } : {}),
              ...(isBold === true ? { bold: true } : {}),
              ...(isItalic === true ? { italics: true } : {}),
              ...(isStruck === true ? { strike: true } : {}),
              ...(isCode === true ? code : {}),
              ...(color === undefined ? {} : { color }),
              ...(link === undefined ? {} : { style: "Hyperlink" }),
              ...(isRightToLeft(line) ? { rightToLeft: true } : {}),
            }),
        );
        return link === undefined ? runs : [new ExternalHyperlink({ link, children: runs })];
      },
    );
  }

  private list(
    block: Extract<Block, { kind: "list" }>,
    place: Place,
  ): (DocxParagraph | DocxTable)[] {
    const left = place.indent + 420;
    const marks = this.markOf(block, left);
    return block.items.flatMap(({ isChecked, blocks }) => {
      const [first, ...others] = blocks;
      const spans = first?.kind === "paragraph" ? first.spans : [];
      const checked: Span[] = isChecked === null ? [] : [{ text: isChecked ? "☑ " : "☐ " }];
      const rest = first?.kind === "paragraph" ? others : blocks;
      return [
        this.paragraph(
          [...checked, ...spans],
          { ...place, indent: 0 },
          {
            ...marks,
            spacing: { after: 60 },
          },
        ),
        ...this.blocks(rest, { ...place, indent: left }),
      ];
    });
  }

  private markOf(
    block: Extract<Block, { kind: "list" }>,
    left: number,
  ): Partial<IParagraphOptions> {
    const level = Math.min(8, Math.round(left / 420) - 1);
    const reference = `list-${this.numberings.length + 1}`;
    const indent = { left, hanging: 320 };
    if (block.start === null) return { bullet: { level }, indent };
    this.numberings.push({
      reference,
      levels: [
        {
          level: 0,
          format: "decimal",
          text: "%1.",
          start: block.start,
          style: { paragraph: { indent } },
        },
      ],
    });
    return { numbering: { reference, level: 0 }, indent };
  }

  private table(block: Extract<Block, { kind: "table" }>): DocxTable {
    const { Table, TableRow, TableCell, WidthType, BorderStyle } = this.docx;
    const columns = Math.max(1, ...block.rows.map((row) => row.length));
    if (columns > mostColumns)
      throw new ToolError(
        `A table has ${columns} columns, but Word shows at most ${mostColumns}. Create an Excel file instead.`,
      );
    const line = { style: BorderStyle.SINGLE, size: 4, color: "DFDDD8" };
    const none = { style: BorderStyle.NONE, size: 0, color: "auto" };
    const usable = 9_026;
    return new Table({
      width: { size: usable, type: WidthType.DXA },
      columnWidths: columnWidths(block.rows, columns, usable),
      borders: {
        top: line,
        bottom: line,
        left: none,
        right: none,
        insideHorizontal: line,
        insideVertical: none,
      },
      rows: block.rows.map(
        (row, index) =>
          new TableRow({
            tableHeader: index === 0,
            cantSplit: true,
            children: Array.from(
              { length: columns },
              (_, column) =>
                new TableCell({
                  margins: { top: 60, bottom: 60, left: 100, right: 100 },
                  ...(index === 0 ? { shading: { fill: "F6F4F1" } } : {}),
                  children: [
                    this.paragraph(
                      (row[column] ?? []).map((span) =>
                        index === 0 ? { ...span, isBold: true } : span,
                      ),
                      { indent: 0, isQuote: false },
                      { spacing: { after: 0 }, ...alignment(block.align[column] ?? null) },
                    ),
                  ],
                }),
            ),
          }),
      ),
    });
  }
}

const alignment = (align: CellAlign | null): Partial<IParagraphOptions> =>
  align === null || align === "left" ? {} : { alignment: align };

/** By the longest text of each column, within limits. */
function columnWidths(rows: readonly Span[][][], columns: number, usable: number): number[] {
  const lengths = Array.from({ length: columns }, (_, column) =>
    Math.max(
      9,
      ...rows.map((row) => {
        const text = plainText(row[column] ?? []);
        const longestWord = Math.max(...text.split(/\s+/).map((word) => word.length));
        return Math.max(Math.min(longestWord + 4, 30), Math.min(text.length, 44));
      }),
    ),
  );
  const total = lengths.reduce((sum, length) => sum + length, 0);
  return lengths.map((length) => Math.round((usable * length) / total));
}
