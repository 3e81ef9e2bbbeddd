import type { KnownFault } from "@carrel/contracts";
import type { Archive } from "./archive.ts";
import { readOptionalPart, readRelations } from "./office-part.ts";
import { readChartTitles } from "./read-chart-titles.ts";
import { readXmlPart } from "./read-xml.ts";
import { readReference } from "./worksheet-scan.ts";

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
