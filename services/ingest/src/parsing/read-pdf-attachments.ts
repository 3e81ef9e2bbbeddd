import type { KnownFault } from "@carrel/contracts";
import type { PDFDocumentProxy } from "pdfjs-dist";
import { ProcessingRequiredError, UnreadableError, type ParsedText } from "./parsed-document.ts";
import type { ParseInner } from "./inner-files.ts";
import type { AttachedFile } from "./read-pdf-annotations.ts";
import type { Recognition } from "./recognise-text.ts";
import { TextBuilder } from "./text-builder.ts";

/** Limits of one document: files that are named, and those that are read. */
const maxNamed = 1_000;
const maxRead = 50;
const maxBytes = 50_000_000;

/** Text of the attachments; pages of them to recognise first. */
interface Attachments {
  text: ParsedText | null;
  pagesToRecognise: number;
}

/** The text of files attached to a document or its pages, each under a heading with its name. */
export async function readAttachments(
  document: PDFDocumentProxy,
  onPages: Map<string, AttachedFile>,
  recognition: Recognition | null,
  parseInner: ParseInner | null,
): Promise<Attachments> {
  const inDocument = (await document.getAttachments()) ?? new Map<string, AttachedFile>();
  const files = new Map([...(inDocument as Map<string, AttachedFile>), ...onPages]);
  if (files.size === 0) return { text: null, pagesToRecognise: 0 };
  const builder = new TextBuilder({ code: "file-kind.pdf" });
  let pagesToRecognise = 0;
  let read = 0;
  let bytesLeft = maxBytes;
  let unread = Math.max(0, files.size - maxNamed);
  for (const [id, { filename, description = "" }] of [...files].slice(0, maxNamed)) {
    builder.addHeading(`Attached file: ${filename}`, 1);
    if (description.trim() !== "" && description !== filename) builder.addParagraph(description);
    const bytes = parseInner && read < maxRead ? await contentOf(document, id) : null;
    if (!parseInner || bytes === null || bytes.length === 0 || bytes.length > bytesLeft) {
      unread++;
      continue;
    }
    read++;
    bytesLeft -= bytes.length;
    try {
      builder.addParsed(await parseInner({ bytes, filename, mime: null }, recognition), 1);
    } catch (fault) {
      if (fault instanceof ProcessingRequiredError && fault.work === "recognition")
        pagesToRecognise += fault.pages;
      else if (fault instanceof ProcessingRequiredError || fault instanceof UnreadableError)
        unread++;
      else throw fault;
    }
  }
  if (unread > 0) builder.note(unreadNote(unread));
  return { text: builder.build(), pagesToRecognise };
}

const unreadNote = (count: number): KnownFault => ({
  code: "file-note.attachments-unread",
  params: { count },
});

async function contentOf(document: PDFDocumentProxy, id: string): Promise<Uint8Array | null> {
  const content = await document.getAttachmentContent(id).catch(() => null);
  return content instanceof Uint8Array ? content : null;
}
