import { clipText } from "@carrel/contracts/clip-text";
import { cleanText } from "./decode-text.ts";
import { parseMarkdown } from "./parse-markdown.ts";
import { parseText } from "./parse-text.ts";
import type { ParsedText } from "./parsed-document.ts";
import { TextBuilder } from "./text-builder.ts";

/** Longer outputs are logs. */
const longestOutput = 20_000;

/** Lists of lines in a notebook are as good as texts. */
type Lines = string | string[];
interface Output {
  output_type?: string;
  text?: Lines;
  data?: Record<string, Lines | undefined>;
  ename?: string;
  evalue?: string;
}
interface Cell {
  cell_type?: string;
  source?: Lines;
  /** Code of the third version of the format. */
  input?: Lines;
  level?: number;
  outputs?: Output[];
}

const textOf = (lines: unknown): string =>
  cleanText(
    Array.isArray(lines)
      ? lines.filter((line) => typeof line === "string").join("")
      : typeof lines === "string"
        ? lines
        : "",
  );
/** Pictures inside Markdown. */
const withoutData = (text: string): string =>
  text.replace(/data:[\w/+.-]{1,100};base64,[\w+/=]+/g, "");
const withoutColours = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- the escape character starts a colour
  text.replace(/\u001b\[[\d;]{0,20}[A-Za-z]/g, "");

function outputText({ output_type: type, text, data, ename, evalue }: Output): string {
  const shown =
    type === "error" || type === "pyerr"
      ? `${ename ?? "Error"}: ${evalue ?? ""}`
      : textOf(text) || textOf(data?.["text/markdown"]) || textOf(data?.["text/plain"]);
  const plain = withoutColours(withoutData(shown)).trim();
  return plain.length > longestOutput ? `${clipText(plain, longestOutput)}…` : plain;
}

function addCell(out: TextBuilder, cell: Cell): void {
  const source = withoutData(textOf(cell.source ?? cell.input));
  if (cell.cell_type === "heading") out.addHeading(source, Math.min(6, cell.level ?? 1));
  else if (cell.cell_type === "code") out.addParagraph(source);
  else out.addParsed(parseMarkdown(source.trim()));
  for (const output of Array.isArray(cell.outputs) ? cell.outputs : [])
    if (output) out.addParagraph(outputText(output));
}

/** The texts, code and printed results of a Jupyter notebook, in order. */
export function parseNotebook(source: string): ParsedText {
  const text = cleanText(source);
  let notebook: { cells?: Cell[]; worksheets?: { cells?: Cell[] }[] } | null;
  try {
    notebook = JSON.parse(text) as typeof notebook;
  } catch {
    return parseText(withoutData(text).replace(/[\w+/=]{400,}/g, ""));
  }
  const sheets = Array.isArray(notebook?.worksheets) ? notebook.worksheets : [];
  const cells = [notebook?.cells, ...sheets.map((sheet) => sheet?.cells)]
    .filter((list) => Array.isArray(list))
    .flat();
  const out = new TextBuilder();
  for (const cell of cells) if (cell && typeof cell === "object") addCell(out, cell);
  return out.build();
}
