import type { PDFDocumentProxy } from "pdfjs-dist";
import { cleanText } from "./decode-text.ts";
import { openPdf } from "./open-pdf.ts";
import { UnreadableError, type ParsedText } from "./parsed-document.ts";
import type { PdfPage } from "./pdf-lines.ts";
import { TextBuilder } from "./text-builder.ts";

/** An element of a form as pdf.js lays it out. */
interface XfaElement {
  name: string;
  value?: string | null;
  attributes?: {
    class?: string[];
    style?: { display?: string; visibility?: string };
    type?: string;
    value?: string;
    textContent?: string;
    checked?: boolean;
    selected?: boolean;
    hidden?: boolean;
    "aria-label"?: string | null;
  };
  children?: (XfaElement | null)[];
}

const blocks = new Set(["div", "p", "li", "ul", "ol"]);

const isShown = ({ attributes }: XfaElement): boolean =>
  attributes?.style?.display !== "none" && attributes?.style?.visibility !== "hidden";
const hasClass = ({ attributes }: XfaElement, name: RegExp): boolean =>
  attributes?.class?.some((one) => name.test(one)) ?? false;
const shownChildren = ({ children = [] }: XfaElement): XfaElement[] =>
  children.filter((child): child is XfaElement => child !== null && isShown(child));
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** The value of an input; null for any other element. */
function valueOf({ name, attributes = {}, children = [] }: XfaElement): string | null {
  if (name === "textarea") return attributes.textContent ?? "";
  if (name === "select")
    return children
      .filter((option) => option?.attributes?.selected && !option.attributes.hidden)
      .map((option) => option?.value ?? "")
      .join(", ");
  if (name !== "input") return null;
  if (attributes.type === "password") return "";
  if (attributes.type === "checkbox") return attributes.checked ? "[checked]" : "[unchecked]";
  if (attributes.type === "radio") return attributes.checked ? "[selected]" : "[unselected]";
  return attributes.value ?? "";
}

/** The texts and the values of a form, line by line. */
class XfaLines {
  private readonly lines: string[] = [];
  private line = "";

  read(element: XfaElement): this {
    if (!isShown(element)) return this;
    if (hasClass(element, /^xfaField$/)) return this.add(readField(element));
    if (hasClass(element, /^xfaRow$/))
      return this.add(
        shownChildren(element)
          .map((cell) => oneLine(new XfaLines().read(cell).toString()))
          .filter((cell) => cell !== "")
          .join(" | "),
      );
    if (element.name === "br") return this.endLine();
    const isBlock = blocks.has(element.name);
    if (isBlock) this.endLine();
    this.write(valueOf(element) ?? element.value ?? "");
    for (const child of shownChildren(element)) this.read(child);
    return isBlock ? this.endLine() : this;
  }

  toString(): string {
    this.endLine();
    return this.lines.join("\n");
  }

  private add(text: string): this {
    this.endLine();
    if (text !== "") this.lines.push(text);
    return this;
  }

  private write(text: string): void {
    const [first = "", ...rest] = text.split(/\r\n?|\n/);
    this.line += first;
    for (const line of rest) {
      this.endLine();
      this.line = line;
    }
  }

  private endLine(): this {
    const line = oneLine(this.line);
    this.line = "";
    if (line !== "") this.lines.push(line);
    return this;
  }
}

/** A field's caption with its value, or one of them. */
function readField(field: XfaElement): string {
  const captions: XfaElement[] = [];
  const values: string[] = [];
  const others = new XfaLines();
  const find = (element: XfaElement): void => {
    const value = valueOf(element);
    if (value !== null) {
      const label = captions.length === 0 ? (element.attributes?.["aria-label"] ?? "") : "";
      if (value !== "" && label !== "") values.push(`${label}: ${value.trim()}`);
      else if (value !== "") values.push(value.trim());
    } else if (hasClass(element, /^xfaCaption/)) captions.push(element);
    else if (hasClass(element, /^xfaRich$/) || element.name === "#text") others.read(element);
    else for (const child of shownChildren(element)) find(child);
  };
  for (const child of shownChildren(field)) find(child);
  const caption = captions.map((one) => oneLine(new XfaLines().read(one).toString())).join(" ");
  const value = [...values, others.toString()].filter((text) => text !== "").join("\n");
  return caption !== "" && value !== ""
    ? `${caption.replace(/\s*:$/, "")}: ${value}`
    : caption || value;
}

/** The text of a form by its template and data; null if it can't be laid out, or has no words. */
async function readTemplate(bytes: Uint8Array): Promise<ParsedText | null> {
  const task = await openPdf(bytes, { laysOutForms: true });
  const out = new TextBuilder({ code: "file-kind.pdf" });
  try {
    const form = await task.promise;
    if (!form.isPureXfa) return null;
    for (let number = 1; number <= form.numPages; number++) {
      const page = await form.getPage(number);
      const root = (await page.getXfa()) as XfaElement | null;
      if (root) out.addParagraph(cleanText(new XfaLines().read(root).toString()));
      page.cleanup();
    }
  } catch (fault) {
    if (fault instanceof UnreadableError) throw fault;
    return null;
  } finally {
    await task.destroy();
  }
  const parsed = out.build();
  return /[\p{L}\p{N}]/u.test(parsed.text) ? parsed : null;
}

/**
 * Text that Adobe's programs write on the only page of a form for readers that can't lay it out.
 */
const placeholder = /^\W*please wait|adobe/i;
const longestPlaceholder = 2_000;

/**
 * The text of a dynamic form, whose PDF has no more than a page that asks to wait or to open it in
 * another program; null for other documents. Throws UnreadableError if only that page can be read.
 */
export async function readXfaForm(
  document: PDFDocumentProxy,
  pages: readonly PdfPage[],
  bytes: Uint8Array,
): Promise<ParsedText | null> {
  const text = pages.flatMap(({ runs }) => runs.map((run) => run.text)).join("");
  if (pages.length > 1 || text.length > longestPlaceholder) return null;
  const { info } = await document.getMetadata();
  const { IsXFAPresent: isXfa, IsAcroFormPresent: hasFields } = info as Record<string, unknown>;
  if (isXfa !== true || hasFields === true) return null;
  const parsed = await readTemplate(bytes);
  if (parsed === null && placeholder.test(text))
    throw new UnreadableError({ code: "file.form-unreadable" });
  return parsed;
}
