import type { KnownFault } from "@carrel/contracts";
import type { PDFDocumentProxy, PageViewport } from "pdfjs-dist";
import {
  coverage,
  findTextPictures,
  mayHavePictures,
  readDrawing,
  type Region,
} from "./find-pdf-pictures.ts";
import type { ParseInner } from "./inner-files.ts";
import { layOutPages } from "./lay-out-pdf.ts";
import { openPdf } from "./open-pdf.ts";
import {
  ProcessingRequiredError,
  UnreadableError,
  maxPages,
  notePage,
  type ParsedText,
} from "./parsed-document.ts";
import type { PdfPage } from "./pdf-lines.ts";
import {
  hasWords,
  isMeaningless,
  isScattered,
  readRuns,
  readAnnotations,
  type AttachedFile,
} from "./read-pdf-page.ts";
import { readXfaForm } from "./read-xfa.ts";
import { addPictures, recognisePage, undoRotation } from "./recognise-pdf.ts";
import type { Recognition } from "./recognise-text.ts";
import { TextBuilder } from "./text-builder.ts";

/** A page without a text layer that paints more shapes than rules and frames may show letters. */
const maxShapes = 100;
/** Least share of a page that the picture of a scan covers. */
const scanned = 0.3;
/**
 * Up to this share of pages without text (a book's cover, a plate), the others are read at once. In
 * a shorter document, such pages may be what matters.
 */
const mostWordless = 0.2;
/** Characters that stamps, page numbers and running titles may add to a scanned page. */
const mostOfStamp = 300;

/** The content of a document before anything is recognised. */
interface ReadPages {
  pages: PdfPage[];
  /** Numbers of pages that have no text layer, or a useless one. */
  wordless: number[];
  /** Pictures that seem to show text, by the numbers of their pages. */
  pictures: Map<number, Region[]>;
  files: Map<string, AttachedFile>;
}

async function readPages(document: PDFDocumentProxy, hasPictures: boolean): Promise<ReadPages> {
  const { OPS } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const read: ReadPages = { pages: [], wordless: [], pictures: new Map(), files: new Map() };
  const seen = new Set<string>();
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const runs = await readRuns(page);
    const { fields, files } = await readAnnotations(page);
    for (const [id, file] of files) read.files.set(id, file);
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = page.view;
    const size = { width: x1 - x0, height: y1 - y0 };
    read.pages.push({ ...size, runs, fields });
    const isEmpty = !hasWords(runs) || isMeaningless(runs);
    if (isEmpty || hasPictures) {
      const drawing = await readDrawing(page, OPS);
      const covered = coverage(drawing.pictures, size);
      if (isEmpty) {
        const isDrawn = drawing.pictures.length > 0 || drawing.shapes > maxShapes;
        if (isDrawn || isMeaningless(runs)) read.wordless.push(number);
      } else if (covered > scanned && isScattered(runs)) read.wordless.push(number);
      else if (covered > 0) {
        const regions = await findTextPictures(page, drawing, runs, size, seen);
        if (regions.length > 0) read.pictures.set(number, regions);
      }
    }
    page.cleanup();
    notePage();
  }
  return read;
}

/** Recognises pages and pictures without text in `read`, and returns notes on what stays unread. */
async function recognise(
  document: PDFDocumentProxy,
  read: ReadPages,
  recognition: Recognition,
): Promise<{
  turned: Map<number, { viewport: PageViewport; view: number[] }>;
  notes: KnownFault[];
}> {
  const { pages, pictures } = read;
  // In a file of another one nothing is recognised, but what text it has is read.
  const isRead = recognition.maxPages === 0 && read.wordless.length < pages.length;
  const wordless = isRead ? [] : read.wordless;
  if (wordless.length > recognition.maxPages)
    throw new UnreadableError({
      code: "file.too-many-pages-to-recognise",
      params: { pages: wordless.length, limit: recognition.maxPages },
    });
  const turned = new Map<number, { viewport: PageViewport; view: number[] }>();
  const notes: KnownFault[] = [];
  let unreadable = 0;
  for (const number of wordless) {
    const page = await document.getPage(number);
    const recognised = await recognisePage(page, pages[number - 1]!.fields ?? [], recognition);
    page.cleanup();
    if (recognised === null) continue;
    const { viewport, isUnreadable, ...laidOut } = recognised;
    if (isUnreadable) unreadable++;
    const own = pages[number - 1]!.runs;
    // A poor text layer is better than none.
    const isWordless = isUnreadable || !hasWords(laidOut.runs);
    if (isWordless && hasWords(own) && !isMeaningless(own)) continue;
    pages[number - 1] = laidOut;
    if (viewport) turned.set(number, { viewport, view: page.view });
  }
  if (unreadable > 0)
    notes.push({ code: "file-note.pages-unrecognised", params: { count: unreadable } });
  let left = recognition.maxPages - wordless.length;
  let unread = read.wordless.length - wordless.length;
  for (const [number, regions] of pictures) {
    if (left-- <= 0) {
      unread += regions.length;
      continue;
    }
    const page = await document.getPage(number);
    try {
      pages[number - 1]!.runs = await addPictures(page, regions, pages[number - 1]!, recognition);
    } catch (fault) {
      // Without data for a language, the text is still worth having.
      if (!(fault instanceof UnreadableError)) throw fault;
      unread += regions.length;
    }
    page.cleanup();
  }
  if (unread > 0) notes.push({ code: "file-note.pictures-unread", params: { count: unread } });
  return { turned, notes };
}

/** The pages' own text. Throws ProcessingRequiredError if more than a few have none. */
function layOutUnrecognised(
  { pages, wordless, pictures }: ReadPages,
  attached: ParsedText | null,
): ParsedText {
  const stamped = [...pictures].filter(([number, regions]) =>
    isStampedScan(pages[number - 1]!, regions),
  );
  const toRecognise = wordless.length + pictures.size;
  const wordlessPages = wordless.length + stamped.length;
  if (wordlessPages > pages.length * mostWordless)
    throw new ProcessingRequiredError("recognition", toRecognise + (attached?.toRecognise ?? 0));
  const parsed = layOutPages(pages);
  if (toRecognise === 0) return parsed;
  const count = [...pictures.values()].reduce((sum, regions) => sum + regions.length, 0);
  return {
    ...parsed,
    notes: [{ code: "file-note.pictures-unread", params: { count: count + wordless.length } }],
    toRecognise,
    ...(wordlessPages > 0 && { wordlessPages }),
  };
}

/** Adds attachments after the last page. */
function append(parsed: ParsedText, attached: ParsedText | null): ParsedText {
  if (attached === null) return parsed;
  const gap = parsed.text === "" ? "" : "\n\n";
  const offset = parsed.text.length + gap.length;
  const notes = [...(parsed.notes ?? []), ...(attached.notes ?? [])];
  const toRecognise = (parsed.toRecognise ?? 0) + (attached.toRecognise ?? 0);
  return {
    ...parsed,
    text: `${parsed.text}${gap}${attached.text}`,
    headings: [
      ...parsed.headings,
      ...attached.headings.map((heading) => ({ ...heading, start: heading.start + offset })),
    ],
    ...(notes.length > 0 && { notes }),
    ...(toRecognise > 0 && { toRecognise }),
  };
}

/** Whether pictures fill most of a page that has hardly any text itself: a scan with a stamp. */
const isStampedScan = (page: PdfPage, regions: readonly Region[]): boolean =>
  coverage(regions, page) > 0.5 &&
  page.runs.reduce((sum, run) => sum + run.text.trim().length, 0) < mostOfStamp;

/**
 * The text of a PDF with a rectangle for each run: from its text layer or, for pages and pictures
 * without text, by recognition; with the values of forms, comments and attached files. Without
 * `recognition`, such pages throw ProcessingRequiredError with their number, and pictures on pages
 * with text are left unread. Throws UnreadableError if the file is damaged or protected. Without
 * `parseInner`, attached files are only named.
 */
export async function parsePdf(
  bytes: Uint8Array,
  recognition: Recognition | null,
  parseInner: ParseInner | null = null,
): Promise<ParsedText> {
  const task = await openPdf(bytes);
  try {
    const document = await task.promise;
    if (document.numPages > maxPages)
      throw new UnreadableError({
        code: "file.too-many-pages",
        params: { pages: document.numPages, limit: maxPages },
      });
    const read = await readPages(document, mayHavePictures(bytes));
    const attached = await readAttachments(document, read.files, recognition, parseInner);
    const form = await readXfaForm(document, read.pages, bytes);
    if (form) return append(form, attached);
    if (recognition === null) return append(layOutUnrecognised(read, attached), attached);
    const { turned, notes } = await recognise(document, read, recognition);
    const parsed = layOutPages(read.pages);
    for (const [number, { viewport, view }] of turned)
      undoRotation(parsed.pages[number - 1]!, viewport, view);
    return append(notes.length > 0 ? { ...parsed, notes } : parsed, attached);
  } catch (cause) {
    if (cause instanceof UnreadableError || cause instanceof ProcessingRequiredError) throw cause;
    if (cause instanceof Error && cause.name === "PasswordException")
      throw new UnreadableError(
        {
          code: "file.password-protected",
          params: { what: { code: "file-kind.pdf" } },
        },
        { cause },
      );
    throw new UnreadableError(
      { code: "file.damaged", params: { what: { code: "file-kind.pdf" } } },
      { cause },
    );
  } finally {
    await task.destroy();
  }
}

/** Limits of one document: files that are named, and those that are read. */
const maxNamedAttachments = 1_000;
const maxReadAttachments = 50;
const maxAttachmentBytes = 50_000_000;

/**
 * The text of files attached to a document or its pages, each under a heading with its name; null if
 * there are none.
 */
async function readAttachments(
  document: PDFDocumentProxy,
  onPages: Map<string, AttachedFile>,
  recognition: Recognition | null,
  parseInner: ParseInner | null,
): Promise<ParsedText | null> {
  const inDocument = (await document.getAttachments()) ?? new Map<string, AttachedFile>();
  const files = new Map([...(inDocument as Map<string, AttachedFile>), ...onPages]);
  if (files.size === 0) return null;
  const builder = new TextBuilder({ code: "file-kind.pdf" });
  let read = 0;
  let bytesLeft = maxAttachmentBytes;
  let unread = Math.max(0, files.size - maxNamedAttachments);
  for (const [id, { filename, description = "" }] of [...files].slice(0, maxNamedAttachments)) {
    builder.addHeading(`Attached file: ${filename}`, 1);
    if (description.trim() !== "" && description !== filename) builder.addParagraph(description);
    const bytes = parseInner && read < maxReadAttachments ? await contentOf(document, id) : null;
    if (!parseInner || bytes === null || bytes.length === 0 || bytes.length > bytesLeft) {
      unread++;
      continue;
    }
    read++;
    bytesLeft -= bytes.length;
    try {
      const parsed = await parseInner({ bytes, filename, mime: null }, recognition);
      builder.addParsed(parsed, 1);
      builder.leaveToRecognition(parsed.toRecognise ?? 0);
    } catch (fault) {
      if (!(fault instanceof ProcessingRequiredError || fault instanceof UnreadableError))
        throw fault;
      unread++;
      if (fault instanceof ProcessingRequiredError && fault.work === "recognition")
        builder.leaveToRecognition(fault.pages);
    }
  }
  if (unread > 0) builder.note(unreadAttachments(unread));
  return builder.build();
}

const unreadAttachments = (count: number): KnownFault => ({
  code: "file-note.attachments-unread",
  params: { count },
});

async function contentOf(document: PDFDocumentProxy, id: string): Promise<Uint8Array | null> {
  const content = await document.getAttachmentContent(id).catch(() => null);
  return content instanceof Uint8Array ? content : null;
}
