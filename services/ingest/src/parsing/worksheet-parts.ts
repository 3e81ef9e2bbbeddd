import type { KnownFault } from "@carrel/contracts";
import type { Archive } from "./archive.ts";
import { readOptionalPart, readRelations } from "./office-part.ts";
import { readChartTitles } from "./read-chart.ts";
import { readXmlPart } from "./read-xml.ts";

/** Text kept until a cell ends; longer than what programs write into a cell. */
const longestCell = 256 * 1024;

const cellWithFormula =
  /<(?:\w+:)?c\b([^<>]*)>\s*<(?:\w+:)?f\b([^<>]*?)(?:\/>|>([^<]*)<\/(?:\w+:)?f>)\s*(?:<(?:\w+:)?v>([^<]*)<\/(?:\w+:)?v>|<(?:\w+:)?v\s*\/>)?/g;
const rowTag = /<(?:\w+:)?row\b([^<>]*)>/g;
const columnTag = /<(?:\w+:)?col\b([^<>]*)>/g;
const paneTag = /<(?:\w+:)?pane\b([^<>]*)>/;
const mayHoldFormula = /[<:]f[ >/]/;

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}=["']([^"']*)["']`).exec(tag)?.[1];
const isHidden = (tag: string): boolean => /\shidden=["'](?:1|true)["']/.test(tag);

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
export const unescapeXml = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name as string] ?? whole;
    const code = decimal === undefined ? parseInt(hex as string, 16) : Number(decimal);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  });

/** Column (from 0) of a reference such as "AB12", and its row (from 0). */
export function readReference(reference: string): { column: number; row: number } | null {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i.exec(reference) ?? [];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return { column: column - 1, row: Number(digits) - 1 };
}

function nameColumn(column: number): string {
  let name = "";
  for (let left = column; left >= 0; left = Math.floor(left / 26) - 1)
    name = String.fromCharCode(65 + (left % 26)) + name;
  return name;
}

/** A formula as it reads in another cell: relative references move along. */
function moveFormula(formula: string, from: string, to: string): string {
  const [start, end] = [readReference(from), readReference(to)];
  if (!start || !end) return formula;
  return formula.replace(
    /"[^"]*"|'[^']*'|(?<![\w.$])(\$?)([A-Z]{1,3})(\$?)(\d{1,7})(?![\w(.!])/g,
    (whole, fixedColumn?: string, letters?: string, fixedRow?: string, digits?: string) => {
      const place = letters === undefined ? null : readReference(`${letters}${digits}`);
      if (!place) return whole;
      const column = fixedColumn ? place.column : place.column + end.column - start.column;
      const row = fixedRow ? place.row : place.row + end.row - start.row;
      return column < 0 || row < 0
        ? "#REF!"
        : `${fixedColumn}${nameColumn(column)}${fixedRow}${row + 1}`;
    },
  );
}

/**
 * What SheetJS doesn't report about a worksheet, collected while its XML is unpacked. Uses
 * patterns, because an XML reader would take longer than SheetJS.
 */
export class WorksheetScan {
  /** Formulas without a stored result, by cell: programs that don't calculate write such files. */
  readonly formulas = new Map<string, string>();
  readonly hiddenColumns: { first: number; last: number }[] = [];
  hiddenRows = 0;
  /** How many rows at the top stay in view. */
  frozenRows = 0;
  private readonly shared = new Map<string, { formula: string; cell: string }>();
  private readonly decoder = new TextDecoder();
  private rest = "";
  private isStart = true;

  take(piece: Uint8Array): void {
    const text = this.rest + this.decoder.decode(piece, { stream: true });
    let end = text.lastIndexOf("c>");
    if (end > 0 && text[end - 1] === "<") end = -2;
    const cut = end < 0 ? (text.length > longestCell ? text.length : 0) : end + 2;
    this.rest = text.slice(cut);
    if (cut > 0) this.scan(text.slice(0, cut));
  }

  end(): void {
    this.scan(this.rest);
    this.rest = "";
  }

  private scan(text: string): void {
    if (this.isStart) {
      this.isStart = false;
      const pane = paneTag.exec(text)?.[1] ?? "";
      if (/\sstate=["']frozen/.test(pane)) this.frozenRows = Number(attribute(pane, "ySplit") ?? 0);
      for (const [, tag = ""] of text.matchAll(columnTag))
        if (isHidden(tag))
          this.hiddenColumns.push({
            first: Number(attribute(tag, "min") ?? 1) - 1,
            last: Number(attribute(tag, "max") ?? 1) - 1,
          });
    }
    if (text.includes(" hidden="))
      for (const [, tag = ""] of text.matchAll(rowTag))
        if (isHidden(tag) && !tag.endsWith("/")) this.hiddenRows++;
    if (!mayHoldFormula.test(text)) return;
    for (const [, cell = "", tag = "", formula = "", value = ""] of text.matchAll(cellWithFormula))
      this.addFormula(cell, tag, formula, value);
  }

  private addFormula(cell: string, tag: string, text: string, value: string): void {
    const reference = attribute(cell, "r");
    if (reference === undefined) return;
    const id = attribute(tag, "si");
    const formula = unescapeXml(text).replace(/_xl(?:fn|ws|pm)\./g, "");
    if (id !== undefined && formula !== "") this.shared.set(id, { formula, cell: reference });
    // An empty text is a result, too.
    if (value !== "" || attribute(cell, "t") === "str") return;
    const shared = id === undefined ? undefined : this.shared.get(id);
    const own =
      formula === "" && shared ? moveFormula(shared.formula, shared.cell, reference) : formula;
    if (own !== "") this.formulas.set(reference, `=${own.replace(/^=/, "")}`);
  }
}

/** The part of each sheet of a workbook, in their order; null for one without a part. */
export async function listSheetParts(
  archive: Archive,
  workbook: string,
): Promise<(string | null)[]> {
  const relations = await readRelations(archive, workbook);
  const parts: (string | null)[] = [];
  await readXmlPart(archive, workbook, {
    open: (name, attributes) => {
      if (name !== "sheet") return;
      const id = attributes.id ?? attributes["r:id"] ?? "";
      parts.push(relations.get(id)?.target ?? null);
    },
  });
  return parts.map((part) => (part !== null && archive.has(part) ? part : null));
}

/** What belongs to a sheet, but is stored in separate parts. */
export interface SheetParts {
  /** Positions of the header rows of its tables. */
  headers: number[];
  /** Texts of boxes and charts. */
  paragraphs: string[];
  notes: KnownFault[];
}

export async function readSheetParts(archive: Archive, sheet: string): Promise<SheetParts> {
  const found: SheetParts = { headers: [], paragraphs: [], notes: [] };
  for (const { type, target } of (await readRelations(archive, sheet)).values()) {
    if (!archive.has(target)) continue;
    await readOptionalPart(
      async () => {
        if (type === "table") await readTable(archive, target, found);
        else if (type === "drawing") await readDrawing(archive, target, found);
      },
      (note) => found.notes.push(note),
    );
  }
  return found;
}

async function readTable(archive: Archive, part: string, found: SheetParts): Promise<void> {
  await readXmlPart(archive, part, {
    open: (name, { ref = "", headerRowCount = "1" }) => {
      const start = readReference(ref.split(":", 1)[0]!);
      if (name === "table" && start && headerRowCount !== "0") found.headers.push(start.row);
    },
  });
}

async function readDrawing(archive: Archive, part: string, found: SheetParts): Promise<void> {
  const relations = await readRelations(archive, part);
  let box: string[] | null = null;
  let line = "";
  const charts: string[] = [];
  await readXmlPart(archive, part, {
    open: (name, attributes) => {
      if (name === "txBody") box = [];
      else if (name === "br") line += "\n";
      else if (name === "cNvPr" && attributes.descr)
        found.paragraphs.push(`Picture: ${attributes.descr}`);
      else if (name === "chart" && attributes.id) {
        const chart = relations.get(attributes.id)?.target;
        if (chart !== undefined) charts.push(chart);
      }
    },
    text: (text) => {
      if (box) line += text;
    },
    close: (name) => {
      if (name === "p" && box) {
        if (line.trim() !== "") box.push(line.trim());
        line = "";
      } else if (name === "txBody" && box) {
        if (box.length > 0) found.paragraphs.push(box.join("\n"));
        box = null;
      }
    },
  });
  for (const chart of charts) {
    const titles = await readChartTitles(archive, chart);
    if (titles !== "") found.paragraphs.push(titles);
  }
}
