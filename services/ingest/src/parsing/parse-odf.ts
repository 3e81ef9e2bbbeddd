import type { KnownFault } from "@carrel/contracts";
import { Archive } from "./archive.ts";
import { cleanText } from "./decode-text.ts";
import { UnreadableError, type ParsedText } from "./parsed-document.ts";
import { readXmlPart } from "./read-xml.ts";
import { TextBuilder } from "./text-builder.ts";
import { writeTable, type Table } from "./write-rows.ts";

/** Elements that aren't part of the text. */
const skipped = new Set([
  "tracked-changes",
  "annotation",
  "annotation-end",
  "sequence-decls",
  "automatic-styles",
  "font-face-decls",
  "forms",
  "date-time-decl",
  "footer-decl",
  "header-decl",
]);
/**
 * Limit on repeats of one cell or row, since sheets are often padded to their last row and column.
 */
const maxRepeated = 1_000;
export const count = (value: string | undefined): number =>
  Math.min(maxRepeated, Math.max(1, Number(value) || 1));

/** Opens an OpenDocument file. Throws UnreadableError if it is encrypted or not such a file. */
type OdfKind = "spreadsheet" | "opendocument-text" | "opendocument-presentation";

export async function open(bytes: Uint8Array, what: KnownFault, noun: OdfKind): Promise<Archive> {
  const archive = await Archive.open(bytes, what);
  if (!archive.has("content.xml"))
    throw new UnreadableError(
      archive.has("encrypted-package")
        ? { code: "file.password-protected", params: { what } }
        : { code: `file.zip-without-${noun}` },
    );
  let encrypted = false;
  if (archive.has("META-INF/manifest.xml"))
    await readXmlPart(archive, "META-INF/manifest.xml", {
      open: (name) => {
        if (name === "encryption-data") encrypted = true;
      },
    });
  if (encrypted) throw new UnreadableError({ code: "file.password-protected", params: { what } });
  return archive;
}

/** Collects text of paragraphs, where spaces, tabs and line breaks are elements. */
export class Words {
  text = "";
  open(name: string, attributes: Record<string, string>): void {
    if (name === "s") this.text += " ".repeat(count(attributes.c));
    else if (name === "tab") this.text += "\t";
    else if (name === "line-break") this.text += "\n";
  }
  take(): string {
    const { text } = this;
    this.text = "";
    return cleanText(text).trim();
  }
}

/**
 * Text documents and presentations: headings with their level, lists, and tables as rows; a slide
 * is a page with its name as heading.
 */
export async function parseOdf(bytes: Uint8Array, kind: "odt" | "odp"): Promise<ParsedText> {
  const what: KnownFault =
    kind === "odt"
      ? { code: "file-kind.opendocument-text" }
      : { code: "file-kind.opendocument-presentation" };
  const archive = await open(
    bytes,
    what,
    kind === "odt" ? "opendocument-text" : "opendocument-presentation",
  );
  const out = new TextBuilder(what);
  const words = new Words();
  let skip = 0;
  let level = 0;
  let items = 0;
  let paragraphs = 0;
  let notes = false;
  const tables: { table: Table; cell: string[]; inHeader: boolean }[] = [];
  const flush = (): void => {
    const text = words.take();
    const table = tables[0];
    if (text === "") return;
    if (table) table.cell.push(text);
    else if (level > 0) out.addHeading(text, level);
    else if (items > 0) {
      out.breakTo(1);
      out.add(`- ${text}`);
      out.breakTo(1);
    } else out.addParagraph(notes ? `Notes: ${text}` : text);
  };
  await readXmlPart(archive, "content.xml", {
    open: (name, attributes) => {
      if (skip > 0 || skipped.has(name)) {
        skip++;
        return;
      }
      if (name === "h" || name === "p") {
        flush();
        paragraphs++;
        level =
          name === "h" ? Math.min(6, Math.max(1, Number(attributes["outline-level"]) || 1)) : 0;
      } else if (name === "page" && kind === "odp") {
        out.startPage();
        const title = attributes.name ?? "";
        out.addHeading(
          /^(page|slide|Seite|Folie)\s?\d+$/i.test(title) || title === ""
            ? `Slide ${/\d+$/.exec(title)?.[0] ?? ""}`.trim()
            : cleanText(title),
          1,
        );
      } else if (name === "notes") notes = true;
      else if (name === "list-item") items++;
      else if (name === "table") {
        flush();
        if (tables.length === 0) out.breakTo(2);
        tables.unshift({ table: { rows: [], headerRows: 0 }, cell: [], inHeader: false });
      } else if (name === "table-header-rows" && tables[0]) tables[0].inHeader = true;
      else if (name === "table-row" && tables[0]) {
        tables[0].table.rows.push([]);
        if (tables[0].inHeader) tables[0].table.headerRows++;
      } else if (name === "table-cell" && tables[0]) tables[0].cell = [];
      else if (paragraphs > 0) words.open(name, attributes);
    },
    text: (text) => {
      if (skip === 0 && paragraphs > 0) words.text += text.replace(/\s+/g, " ");
    },
    close: (name) => {
      if (skip > 0) {
        skip--;
        return;
      }
      if (name === "h" || name === "p") {
        flush();
        paragraphs--;
        level = 0;
      } else if (name === "notes") notes = false;
      else if (name === "list-item") {
        items--;
        if (items === 0) out.breakTo(1);
      } else if (name === "list" && items === 0) out.breakTo(2);
      else if (name === "table-header-rows" && tables[0]) tables[0].inHeader = false;
      else if (name === "table-cell" && tables[0])
        tables[0].table.rows.at(-1)?.push(tables[0].cell.join("\n"));
      else if (name === "table") {
        const done = tables.shift();
        const paragraphsOf = done ? writeTable(done.table) : [];
        if (tables[0]) tables[0].cell.push(...paragraphsOf);
        else for (const paragraph of paragraphsOf) out.addParagraph(paragraph);
      }
    },
  });
  return out.build();
}
