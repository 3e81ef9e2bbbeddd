import { buildSource, clipText, type SourceWire } from "@carrel/contracts";
import { onOneLine } from "../plain-text.ts";
import { toolFault, withToolFaults } from "../tool-fault.ts";
import type { DocumentEntry, DocumentPart, DocumentPort } from "./document-port.ts";

/** Finds the document that a model means by an id or title; throws ToolError unless it is one. */
export async function findDocument(
  documents: Pick<DocumentPort, "find">,
  name: string,
  signal: AbortSignal,
): Promise<DocumentEntry> {
  const asked = clipText(onOneLine(name), 300);
  return chooseDocument(
    asked === "" ? [] : await withToolFaults(documents.find(asked, signal)),
    asked,
  );
}

/** The only document of those found for a name; throws ToolError unless there is one. */
export function chooseDocument(found: readonly DocumentEntry[], asked: string): DocumentEntry {
  if (found.length === 0)
    throw toolFault(
      { code: "document.no-match", params: { name: asked } },
      "list-documents lists them.",
    );
  if (found.length === 1) return found[0]!;
  throw toolFault(
    { code: "document.several-match", params: { name: asked } },
    `Use the id of one of: ${found.map((one) => `${onOneLine(one.title)} (id ${one.id})`).join("; ")}.`,
  );
}

/** What is kept with the answer; the whole text is one click away. */
const longestQuote = 1_000;

/** A part of a document as a source. */
export const documentSource = (
  entry: DocumentEntry,
  part: Pick<DocumentPart, "text" | "start" | "end" | "pages" | "headings">,
): SourceWire =>
  buildSource({
    chunkId: `${entry.id}:${part.start}`,
    documentId: entry.id,
    docpath: entry.docpath,
    title: entry.title,
    text: clipText(part.text, longestQuote),
    start: part.start,
    end: Math.min(part.end, part.start + longestQuote),
    page: part.pages[0]?.page ?? null,
    headingPath: part.headings.findLast(({ start }) => start <= part.start)?.path ?? [],
    rectangles: [],
    score: 0,
    denseScore: null,
    textScore: null,
    url: entry.url,
    docAuthor: entry.docAuthor,
    description: entry.description,
    docSource: entry.docSource,
    chunkSource: entry.chunkSource,
    published: entry.published,
    wordCount: entry.wordCount,
    tokenCountEstimate: Math.ceil(Buffer.byteLength(part.text) / 4),
  });
