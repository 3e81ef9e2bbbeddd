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

/**
 * The text of files attached to a document or its pages, each under a heading with its name; null if
 * there are none.
 */
export async function readAttachments(
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
  if (unread > 0) builder.note(unreadNote(unread));
  return builder.build();
}

const unreadNote = (count: number): KnownFault => ({
  code: "file-note.attachments-unread",
  params: { count },
});

async function contentOf(document: PDFDocumentProxy, id: string): Promise<Uint8Array | null> {
  const content = await document.getAttachmentContent(id).catch(() => null);
  return content instanceof Uint8Array ? content : null;
}
