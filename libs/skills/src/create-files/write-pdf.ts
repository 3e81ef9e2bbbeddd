import { setImmediate as nextTurnOfLoop } from "node:timers/promises";
import { clipText } from "@carrel/contracts";
import { ToolError } from "../tool.ts";
import { plainText, readMarkdown, type Block, type Span } from "./document-blocks.ts";
import { breakLines, type Line } from "./lay-out-lines.ts";
import { createGlyphCheck, fontNames, fontOf, readFont, type GlyphCheck } from "./pdf-fonts.ts";
import { layOutTable } from "./pdf-table.ts";

const mostPages = 500;
/** A4, in points. */
const page = { width: 595.28, height: 841.89, margin: 62, bottom: 70 };
const colors = {
  text: "#1f1e1c",
  faint: "#656360",
  line: "#dfddd8",
  fill: "#f6f4f1",
  link: "#006a5e",
};
const bodySize = 10.5;
const headingSizes = [20, 16, 13.5, 12, 11, 10.5];

/** Where a block is written: from `left` on, `width` wide. */
interface Column {
  left: number;
  width: number;
  color: string;
}

export interface WrittenPdf {
  bytes: Uint8Array;
  pages: number;
  /** Signs that the fonts lack. */
  missing: number;
}

/** Writes Markdown as an A4 document with bookmarks and page numbers. */
export async function writePdf(
  o: { title: string; markdown: string },
  signal: AbortSignal,
): Promise<WrittenPdf> {
  const [blocks, glyphs, { default: Document }] = await Promise.all([
    readMarkdown(o.markdown),
    createGlyphCheck(),
    import("pdfkit"),
  ]);
  const document = new Document({
    size: [page.width, page.height],
    margins: { top: 0, bottom: 0, left: 0, right: 0 },
    bufferPages: true,
    autoFirstPage: false,
    font: "", // not Helvetica, whose metrics would be read
    info: { Title: o.title, Creator: "Carrel", Producer: "Carrel" },
    displayTitle: true,
  });
  const chunks: Uint8Array[] = [];
  const finished = new Promise<void>((resolve, reject) => {
    document.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    document.on("end", resolve);
    document.on("error", reject);
  });
  const writer = new PdfWriter(document, glyphs, signal);
  await writer.write(o.title, blocks);
  document.end();
  await finished;
  return { bytes: Buffer.concat(chunks), pages: writer.pages, missing: glyphs.missing };
}

class PdfWriter {
  pages = 0;
  private y = 0;
  /** Bookmarks of the headings around the next one, by level. */
  private readonly bookmarks: { level: number; outline: PDFKit.PDFOutline }[] = [];

  constructor(
    private readonly document: PDFKit.PDFDocument,
    private readonly glyphs: GlyphCheck,
    private readonly signal: AbortSignal,
  ) {}

  async write(title: string, blocks: Block[]): Promise<void> {
    for (const name of fontNames) this.document.registerFont(name, await readFont(name));
    this.addPage();
    const column = { left: page.margin, width: page.width - 2 * page.margin, color: colors.text };
    const [first] = blocks;
    const isRepeated = first?.kind === "heading" && plainText(first.spans).trim() === title.trim();
    if (title.trim() !== "" && !isRepeated)
      this.heading({ kind: "heading", level: 1, spans: [{ text: title }] }, column);
    await this.blocks(blocks, column);
    this.numberPages();
  }

  private async blocks(blocks: readonly Block[], column: Column): Promise<void> {
    for (const block of blocks) {
      this.signal.throwIfAborted();
      await nextTurnOfLoop(); // a long document doesn't hold up other requests
      await this.block(block, column);
    }
  }

  private async block(block: Block, column: Column): Promise<void> {
    switch (block.kind) {
      case "heading":
        return this.heading(block, column);
      case "paragraph":
        this.lines(this.break(block.spans, bodySize, column.width), bodySize, column);
        this.y += 7;
        return;
      case "code":
        return this.code(block.text, column);
      case "rule":
        this.reserve(20);
        this.line(column.left, this.y + 6, column.left + column.width, this.y + 6);
        this.y += 16;
        return;
      case "quote": {
        const inner = { left: column.left + 14, width: column.width - 14, color: colors.faint };
        const from = { page: this.pages, y: this.y };
        await this.blocks(block.blocks, inner);
        this.bar(from, column.left + 1);
        return;
      }
      case "list":
        return this.list(block, column);
      case "table":
        return this.table(block, column);
    }
  }

  private heading(block: Extract<Block, { kind: "heading" }>, column: Column): void {
    const size = headingSizes[block.level - 1] ?? bodySize;
    const spans = block.spans.map((span) => ({ ...span, isBold: true }));
    const lines = this.break(spans, size, column.width);
    const isFirst = this.y <= page.margin;
    // Not alone at the end of a page.
    this.reserve(lines.length * size * 1.3 + (isFirst ? 0 : size) + 40);
    if (this.y > page.margin) this.y += size * 0.7;
    while ((this.bookmarks.at(-1)?.level ?? 0) >= block.level) this.bookmarks.pop();
    const parent = this.bookmarks.at(-1)?.outline ?? this.document.outline;
    const outline = parent.addItem(clipText(plainText(block.spans), 200));
    this.bookmarks.push({ level: block.level, outline });
    this.lines(lines, size, column, 1.3);
    this.y += size * 0.35 + 2;
  }

  private code(text: string, column: Column): void {
    const size = 9;
    const inset = 9;
    const lines = this.break([{ text, isCode: true }], size, column.width - 2 * inset);
    const height = size * 1.45;
    let index = 0;
    while (index < lines.length) {
      this.reserve(height + 2 * inset);
      const room = Math.floor((this.end - this.y - 2 * inset) / height);
      const shown = lines.slice(index, index + Math.max(1, room));
      this.document
        .roundedRect(column.left, this.y, column.width, shown.length * height + 2 * inset, 4)
        .fill(colors.fill);
      this.y += inset;
      for (const line of shown) {
        this.draw(line, column.left + inset, this.y, size, colors.text);
        this.y += height;
      }
      this.y += inset;
      index += shown.length;
    }
    this.y += 9;
  }

  private async list(block: Extract<Block, { kind: "list" }>, column: Column): Promise<void> {
    const indent =
      block.start === null ? 16 : 14 + 6 * String(block.start + block.items.length).length;
    const inner = {
      ...column,
      left: column.left + indent,
      width: Math.max(60, column.width - indent),
    };
    for (const [index, item] of block.items.entries()) {
      this.reserve(bodySize * 1.5);
      const mark =
        item.isChecked === null
          ? block.start === null
            ? "•"
            : `${block.start + index}.`
          : item.isChecked
            ? "✓"
            : "□";
      const [line] = this.break([{ text: mark }], bodySize, indent + 40);
      this.draw(
        line!,
        column.left + (block.start === null ? 4 : 0),
        this.y,
        bodySize,
        colors.faint,
      );
      if (item.blocks.length === 0) this.y += bodySize * 1.5;
      await this.blocks(item.blocks, inner);
      this.y -= 3; // items are closer to each other than paragraphs
    }
    this.y += 4;
  }

  private async table(block: Extract<Block, { kind: "table" }>, column: Column): Promise<void> {
    const size = 9.5;
    const rows = block.rows.map((row, index) =>
      row.map((spans) =>
        this.fit(index === 0 ? spans.map((span) => ({ ...span, isBold: true })) : spans),
      ),
    );
    const layout = layOutTable(rows, column.width, (span) => this.measure(span, size));
    const padding = layout.padding;
    const lineHeight = size * 1.4;
    const drawRow = (lines: Line[][], isHeader: boolean, from: number, count: number): void => {
      const height = count * lineHeight + 2 * padding;
      if (isHeader) this.document.rect(column.left, this.y, column.width, height).fill(colors.fill);
      let left = column.left;
      for (const [index, cell] of lines.entries()) {
        const width = layout.widths[index]!;
        for (const [line, text] of cell.slice(from, from + count).entries()) {
          const room = width - 2 * padding - text.width;
          const align = block.align[index] ?? "left";
          const shift = align === "right" ? room : align === "center" ? room / 2 : 0;
          this.draw(
            text,
            left + padding + shift,
            this.y + padding + line * lineHeight,
            size,
            column.color,
          );
        }
        left += width;
      }
      this.y += height;
      this.line(column.left, this.y, column.left + column.width, this.y);
    };
    const longest = (lines: Line[][]): number => Math.max(1, ...lines.map((cell) => cell.length));
    const [header] = layout.rows;
    for (const [index, lines] of layout.rows.entries()) {
      if (index % 50 === 0) await nextTurnOfLoop();
      const total = longest(lines);
      let from = 0;
      while (from < total) {
        const pages = this.pages;
        const left = total - from;
        const full = Math.floor((this.end - page.margin) / lineHeight) - 6;
        this.reserve(Math.min(left, Math.max(1, full)) * lineHeight + 2 * padding);
        if (this.pages > pages && index > 0 && header !== undefined && longest(header) < 8)
          drawRow(header, true, 0, longest(header));
        const room = Math.floor((this.end - this.y - 2 * padding) / lineHeight);
        const count = Math.max(1, Math.min(left, room));
        drawRow(lines, index === 0, from, count);
        from += count;
      }
    }
    this.y += 12;
  }

  private fit(spans: readonly Span[]): Span[] {
    return spans.flatMap((span) => this.glyphs.fit(span));
  }

  private measure(span: Span, size: number): number {
    return this.document.font(fontOf(span)).fontSize(size).widthOfString(span.text);
  }

  private break(spans: readonly Span[], size: number, width: number): Line[] {
    return breakLines(this.fit(spans), width, (span) => this.measure(span, size));
  }

  private lines(lines: readonly Line[], size: number, column: Column, spacing = 1.5): void {
    for (const line of lines) {
      this.reserve(size * spacing);
      this.draw(line, column.left, this.y, size, column.color);
      this.y += size * spacing;
    }
  }

  private draw(line: Line, left: number, top: number, size: number, color: string): void {
    for (const piece of line.pieces) {
      if (piece.text.trim() === "" && piece.isCode !== true) continue;
      this.document
        .font(fontOf(piece))
        .fontSize(size)
        .fillColor(piece.link === undefined ? color : colors.link)
        .text(piece.text, left + piece.x, top, {
          lineBreak: false,
          ...(piece.link === undefined ? {} : { link: piece.link, underline: true }),
          ...(piece.isStruck === true ? { strike: true } : {}),
        });
    }
  }

  private line(x1: number, y1: number, x2: number, y2: number): void {
    this.document.moveTo(x1, y1).lineTo(x2, y2).lineWidth(0.6).stroke(colors.line);
  }

  /** Marks a quote at its side, on each of its pages. */
  private bar(from: { page: number; y: number }, x: number): void {
    for (let at = from.page; at <= this.pages; at += 1) {
      this.document.switchToPage(at - 1);
      const top = at === from.page ? from.y : page.margin;
      const bottom = at === this.pages ? this.y - 7 : this.end;
      if (bottom > top)
        this.document.moveTo(x, top).lineTo(x, bottom).lineWidth(2).stroke(colors.line);
    }
  }

  private get end(): number {
    return page.height - page.bottom;
  }

  /** Starts a page if there isn't as much room on this one, in points. */
  private reserve(height: number): void {
    if (this.y + height > this.end && this.y > page.margin) this.addPage();
  }

  private addPage(): void {
    if (this.pages >= mostPages)
      throw new ToolError(
        `The document would have more than ${mostPages} pages. Make several files.`,
      );
    this.document.addPage();
    this.pages += 1;
    this.y = page.margin;
  }

  private numberPages(): void {
    if (this.pages < 2) return;
    for (let index = 0; index < this.pages; index += 1) {
      this.document.switchToPage(index);
      const [line] = this.break([{ text: `${index + 1} / ${this.pages}` }], 8.5, 200);
      this.draw(line!, (page.width - line!.width) / 2, page.height - 44, 8.5, colors.faint);
    }
  }
}
