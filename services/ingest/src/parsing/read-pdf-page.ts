import { clipText } from "@carrel/contracts/clip-text";
import type { PDFPageProxy } from "pdfjs-dist";
import { cleanText } from "./decode-text.ts";
import { toPlainLetters } from "./order-pdf-directions.ts";
import type { PdfRun, PdfField } from "./pdf-lines.ts";

/** A text item from pdf.js; marked-content items have no `str`. */
interface PdfItem {
  str?: string;
  transform?: number[];
  width?: number;
  height?: number;
  hasEOL?: boolean;
  fontName?: string;
}

/**
 * Bounding box of a run that may be rotated, from pdf.js's baseline start, direction, length and
 * height.
 */
function toRun(item: PdfItem, view: number[], isVertical: boolean): PdfRun {
  const [a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = item.transform ?? [];
  const scale = Math.hypot(a, b) || 1;
  const text = toPlainLetters(item.str ?? "");
  if (isVertical) {
    // Vertical text starts at the top, in the middle of its line.
    const size = Math.hypot(c, d) || scale;
    const length = item.height ?? 0;
    return {
      text,
      x: e - size / 2 - view[0]!,
      y: f - length - view[1]!,
      width: size,
      height: length,
      size,
      endsLine: item.hasEOL ?? false,
      upright: true,
      vertical: true,
    };
  }
  const [cos, sin] = [a / scale, b / scale];
  const height = item.height || scale;
  const width = item.width ?? 0;
  // In common fonts, a fifth of the height lies below the baseline.
  const corners = [
    [0, -0.2 * height],
    [width, -0.2 * height],
    [0, 0.8 * height],
    [width, 0.8 * height],
  ].map(([x = 0, y = 0]) => [e + x * cos - y * sin, f + x * sin + y * cos]);
  const xs = corners.map((corner) => corner[0]!);
  const ys = corners.map((corner) => corner[1]!);
  const x = Math.min(...xs);
  const y = Math.min(...ys);
  return {
    text,
    x: x - view[0]!,
    y: y - view[1]!,
    width: Math.max(...xs) - x,
    height: Math.max(...ys) - y,
    size: height,
    endsLine: item.hasEOL ?? false,
    upright: Math.abs(sin) < 0.1,
  };
}

/** The text layer of a page. */
export async function readRuns(page: PDFPageProxy): Promise<PdfRun[]> {
  // pdf.js would replace ligatures before it orders Arabic letters, which turns them around.
  const { items, styles } = await page.getTextContent({ disableNormalization: true });
  return (items as PdfItem[])
    .filter((item) => item.str !== undefined)
    .map((item) => toRun(item, page.view, styles[item.fontName ?? ""]?.vertical ?? false));
}

export const hasWords = (runs: readonly PdfRun[]): boolean =>
  runs.some((run) => /[\p{L}\p{N}]/u.test(run.text));

/** Fonts without a table of their letters give characters of no meaning. */
const meaningless = /[\p{Co}\p{Cc}\p{Cn}\ufffd]/gu;

const textOf = (runs: readonly PdfRun[]): string => runs.map((run) => run.text).join(" ");
const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, "");

/** Whether a text layer isn't text: characters without meaning. */
export function isMeaningless(runs: readonly PdfRun[]): boolean {
  const characters = withoutSpaces(textOf(runs));
  return (
    characters.length >= 20 &&
    (characters.match(meaningless)?.length ?? 0) > 0.3 * characters.length
  );
}

/**
 * Whether a text layer consists of single letters and signs, which recognition makes of a scan that
 * was turned. Answer keys and chess games look the same, but aren't drawn over a scan.
 */
export function isScattered(runs: readonly PdfRun[]): boolean {
  const text = textOf(runs);
  const characters = withoutSpaces(text);
  if (characters.length < 20 || /[\u0590-\uffff]/.test(characters)) return false;
  const words = text.split(/\s+/).filter((word) => word !== "");
  const whole = words.filter((word) => /^\P{L}*\p{L}{3,}\P{L}*$/u.test(word));
  return words.length >= 20 && whole.length < 0.15 * words.length && !/\d{3}/.test(text);
}

/** The properties of pdf.js's annotations that are read here. */
interface Annotation {
  subtype?: string;
  rect?: number[];
  hidden?: boolean;
  annotationFlags?: number;
  /** Properties of a field. */
  fieldType?: string | null;
  fieldName?: string;
  alternativeText?: string;
  fieldValue?: string | string[] | null;
  checkBox?: boolean;
  radioButton?: boolean;
  exportValue?: string | null;
  buttonValue?: string | null;
  password?: boolean;
  options?: { exportValue: string | null; displayValue: string | null }[];
  /** Properties of a note. */
  contentsObj?: { str: string };
  titleObj?: { str: string };
  textContent?: string[];
  overlaidText?: string;
  /** Properties of an attached file. */
  fileId?: string | null;
  file?: AttachedFile;
}

/** A file attached to a page or a document. */
export interface AttachedFile {
  filename: string;
  description?: string;
}
interface PageAnnotations {
  fields: PdfField[];
  files: Map<string, AttachedFile>;
}

/** Limits for one page and one value; a page of a form has a few hundred fields. */
const maxFields = 2_000;
const longestValue = 100_000;

/** Types with which people write or mark on a page. */
const comments = new Set(
  "Text Highlight Underline Squiggly StrikeOut Caret Stamp Line Square Circle Polygon PolyLine Ink".split(
    " ",
  ),
);

/** Names that programs give: f1_02[0], Text Field 12, undefined_3. */
const isGenerated = (name: string): boolean =>
  !/\p{L}{2}/u.test(name) ||
  /^(?:f|c|p|tf|cb|fld|field|text|txt|text ?field|text ?box|check ?box|combo ?box|radio ?button|list ?box|group|button|undefined|untitled|fill|subform|page|date field|form)[\s_.\-#\d]*$/i.test(
    name,
  );

/** `client.full_name[0]` is "full name". */
function nameOf({ alternativeText = "", fieldName = "" }: Annotation): string | null {
  const told = alternativeText.replace(/\s+/g, " ").trim();
  if (told !== "" && told.length <= 200) return told.replace(/\s*:$/, "");
  const name = (fieldName.split(".").at(-1) ?? "")
    .replace(/\[\d+\]$/, "")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/_+/g, " ")
    .trim();
  return isGenerated(name) ? null : name;
}

function valueOf(annotation: Annotation): string {
  const { fieldType, fieldValue, options = [] } = annotation;
  if (annotation.password) return "";
  if (fieldType === "Btn") {
    const isOn = (on: string | null | undefined): boolean =>
      typeof fieldValue === "string" && fieldValue !== "Off" && fieldValue === on;
    if (annotation.checkBox) return isOn(annotation.exportValue) ? "[checked]" : "[unchecked]";
    if (annotation.radioButton) return isOn(annotation.buttonValue) ? "[selected]" : "[unselected]";
    return "";
  }
  const values = (Array.isArray(fieldValue) ? fieldValue : [fieldValue]).filter(
    (value) => typeof value === "string",
  );
  if (fieldType !== "Ch") return values.join("\n");
  return values
    .map((value) => options.find((option) => option.exportValue === value)?.displayValue ?? value)
    .join(", ");
}

const tidy = (text: string): string =>
  cleanText(clipText(text, longestValue))
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");

function commentOn(annotation: Annotation): string {
  const said = tidy(annotation.contentsObj?.str ?? "");
  const marked = tidy(annotation.overlaidText ?? "").replaceAll("\n", " ");
  // Some programs store the marked text as the comment.
  if (said === "" || said.replaceAll("\n", " ") === marked) return "";
  const author = tidy(annotation.titleObj?.str ?? "").replaceAll("\n", " ");
  const by = author === "" ? "Comment" : `Comment by ${author}`;
  const on = marked === "" ? "" : ` on “${clipText(marked, 200)}”`;
  return `${by}${on}: ${said}`;
}

/** Neither drawn nor shown: the flags "hidden" and "no view". */
const isHidden = ({ hidden = false, annotationFlags = 0 }: Annotation): boolean =>
  hidden || (annotationFlags & (2 | 32)) !== 0;

/** Values of a page's form fields, what people wrote on it, and files attached to it. */
export async function readAnnotations(page: PDFPageProxy): Promise<PageAnnotations> {
  const annotations = (await page.getAnnotations()) as Annotation[];
  const [left = 0, bottom = 0] = page.view;
  const fields: PdfField[] = [];
  const files = new Map<string, AttachedFile>();
  for (const annotation of annotations) {
    const { subtype = "", rect = [] } = annotation;
    if (isHidden(annotation) || fields.length >= maxFields) continue;
    if (subtype === "FileAttachment" && annotation.file)
      files.set(annotation.fileId ?? annotation.file.filename, annotation.file);
    const isField = subtype === "Widget";
    const text = isField
      ? tidy(valueOf(annotation))
      : subtype === "FreeText"
        ? tidy(annotation.contentsObj?.str || (annotation.textContent ?? []).join("\n"))
        : comments.has(subtype)
          ? commentOn(annotation)
          : "";
    if (text === "") continue;
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = rect;
    fields.push({
      text,
      label: isField ? nameOf(annotation) : null,
      isComment: !isField && subtype !== "FreeText",
      x: x0 - left,
      y: y0 - bottom,
      width: x1 - x0,
      height: y1 - y0,
    });
  }
  return { fields, files };
}
