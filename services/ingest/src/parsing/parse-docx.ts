import type { KnownFault } from "@carrel/contracts";
import { Archive } from "./archive.ts";
import { cleanText, decodeText } from "./decode-text.ts";
import type { Block } from "./office-block.ts";
import { readRelations, type Relation } from "./office-part.ts";
import { UnreadableError, type ParsedText } from "./parsed-document.ts";
import { readPictures } from "./read-pictures.ts";
import { readXmlPart } from "./read-xml.ts";
import type { Recognition } from "./recognise-text.ts";
import { TextBuilder } from "./text-builder.ts";
import { WordDocument, WordPart } from "./word-part.ts";
import { WordReader, type WordItem } from "./word-reader.ts";
import { isOn } from "./word-styles.ts";
import { textOfBlocks, writeBlocks } from "./write-blocks.ts";

const what: KnownFault = { code: "file-kind.word-document" };
/** Documents inserted into documents. */
const deepestInsertion = 3;
const maxInsertions = 200;
/** Lines that separate notes from the text. */
const separators = new Set(["separator", "continuationSeparator", "continuationNotice"]);

/**
 * Reads Word's text with headings, numbers of clauses, lists and tables; notes and comments follow
 * the paragraph they belong to, headers come first and footers last.
 */
export async function parseDocx(
  bytes: Uint8Array,
  recognition: Recognition | null = null,
  depth = 0,
): Promise<ParsedText> {
  const archive = await Archive.open(bytes, what);
  const main =
    [...(await readRelations(archive, "")).values()].find(({ type }) => type === "officeDocument")
      ?.target ?? "";
  const part = archive.has(main)
    ? main
    : archive.names.find((name) => /^word\/document\d*\.xml$/i.test(name));
  if (part === undefined) throw new UnreadableError({ code: "file.zip-without-word-document" });
  return new WordParser(archive, recognition, depth).parse(part);
}

class WordParser {
  private readonly document = new WordDocument();
  private insertions = 0;

  constructor(
    private readonly archive: Archive,
    private readonly recognition: Recognition | null,
    private readonly depth: number,
  ) {}

  async parse(part: string): Promise<ParsedText> {
    const relations = await readRelations(this.archive, part);
    await this.readDefinitions(relations);
    const body = await this.read(part);
    const out = new TextBuilder(what);
    // Before pictures, which may use up what an archive may unpack to.
    const margins = await this.readMargins(body, relations);
    for (const note of this.document.faults) out.note(note);
    const pictures = await readPictures(this.archive, body.pictures, this.recognition, out);
    for (const text of margins.header) out.addParagraph(text);
    for (const { blocks } of body.items) writeBlocks(out, blocks, pictures);
    for (const text of margins.footer) out.addParagraph(text);
    return out.build();
  }

  private async read(part: string): Promise<WordReader> {
    const reader = new WordReader(
      await WordPart.open(this.archive, part, this.document, (inserted) =>
        this.readInserted(inserted),
      ),
    );
    await readXmlPart(this.archive, part, {
      open: (name, attributes) => reader.open(name, attributes),
      text: (text) => reader.text(text),
      close: (name) => reader.close(name),
    });
    return reader;
  }

  private async readDefinitions(relations: ReadonlyMap<string, Relation>): Promise<void> {
    const partOf = (wanted: string): string | undefined =>
      [...relations.values()].find(
        ({ type, target }) => type === wanted && this.archive.has(target),
      )?.target;
    const [styles, numbering, settings] = ["styles", "numbering", "settings"].map(partOf);
    if (styles !== undefined) await this.document.styles.read(this.archive, styles);
    if (numbering !== undefined) await this.document.numbers.read(this.archive, numbering);
    if (settings !== undefined)
      await readXmlPart(this.archive, settings, {
        open: (name, { val }) => {
          if (name === "evenAndOddHeaders") this.document.hasEvenPages = isOn(val);
        },
      });
    for (const [kind, marks] of [
      ["footnote", String],
      ["endnote", (n: number) => `e${n}`],
    ] as const) {
      const items = await this.readItems(partOf(`${kind}s`));
      let number = 0;
      for (const { id, type, blocks } of items)
        if (!separators.has(type))
          this.document.notes.set(`${kind} ${id}`, {
            mark: marks(++number),
            text: textOfBlocks(blocks),
          });
    }
    for (const { id, author, blocks } of await this.readItems(partOf("comments"))) {
      const text = textOfBlocks(blocks);
      const by = cleanText(author).trim();
      if (text !== "") this.document.comments.set(id, `Comment${by && ` by ${by}`}: ${text}`);
    }
  }

  private async readItems(part: string | undefined): Promise<WordItem[]> {
    return part === undefined ? [] : (await this.read(part)).items;
  }

  /** Headers and footers that pages show, each distinct one once. */
  private async readMargins(
    body: WordReader,
    relations: ReadonlyMap<string, Relation>,
  ): Promise<{ header: Set<string>; footer: Set<string> }> {
    const margins = { header: new Set<string>(), footer: new Set<string>() };
    const read = new Set<string>();
    for (const { kind, id } of body.sections.shown) {
      const target = relations.get(id)?.target;
      if (target === undefined || read.has(target) || !this.archive.has(target)) continue;
      read.add(target);
      const text = (await this.readItems(target))
        .map(({ blocks }) => textOfBlocks(blocks))
        .join("\n");
      // A page number alone says nothing.
      if (/\p{L}/u.test(text) || /\d\D+\d|\d{4}/.test(text)) margins[kind].add(text);
    }
    return margins;
  }

  /** A document inserted as a file: HTML, RTF, Word or plain text. */
  private async readInserted(part: string): Promise<Block[]> {
    if (this.depth >= deepestInsertion || ++this.insertions > maxInsertions) return [];
    const bytes = await this.archive.read(part);
    const head = bytes.subarray(0, 1_000).toString("latin1").trimStart();
    const parsed = await this.parseInserted(part, bytes, head).catch((fault: unknown) => {
      // The rest of the document is readable.
      if (fault instanceof UnreadableError) return null;
      throw fault;
    });
    return parsed === null ? [] : [{ kind: "parsed", parsed }];
  }

  private async parseInserted(part: string, bytes: Buffer, head: string): Promise<ParsedText> {
    if (head.startsWith("PK")) return parseDocx(bytes, this.recognition, this.depth + 1);
    if (head.startsWith("{\\rtf")) return (await import("./parse-rtf.ts")).parseRtf(bytes);
    if (/^mime-version:|^content-type:\s*multipart/im.test(head))
      return (await import("./parse-mail.ts")).parseEml(bytes);
    if (/\.x?html?$/i.test(part) || /<(?:!doctype html|html|body|p|div)[\s>]/i.test(head)) {
      const { parseHtml } = await import("./parse-html.ts");
      return parseHtml(decodeText(bytes, { kind: "html" }).text);
    }
    return { text: cleanText(decodeText(bytes).text).trim(), headings: [], pages: [] };
  }
}
