import type { Out, PageRectangle, SourceWire, getDocumentText } from "@carrel/contracts";

/** An uploaded file, with its text as the server extracts it. */
export interface FakeOriginal {
  title: string;
  mime: string;
  bytes: Buffer;
  text: string;
  /** For a picture: where the passage is on it. */
  pageSize?: { width: number; height: number };
  rectangles?: PageRectangle[];
  /** For a scan: each page as the gateway converts it, and the page of the passage. */
  scanned?: Buffer[];
  page?: number;
  /** Where its source shows it. */
  sourceUrl?: string;
}

/** The gateway's reply about a range of a document's text. */
export function textOfOriginal(
  id: string,
  { title, mime, text, pageSize, rectangles, scanned, page = 1, sourceUrl }: FakeOriginal,
  query: URLSearchParams,
): Out<typeof getDocumentText> {
  const start = Number(query.get("start") ?? 0);
  const end = Math.min(text.length, Number(query.get("end") ?? text.length));
  return {
    title,
    mime,
    text: text.slice(start, end),
    start,
    end,
    length: text.length,
    pages: pageSize ? (scanned?.length ?? 1) : null,
    page: pageSize ? page : null,
    lines: null,
    pageSize: pageSize ?? null,
    headingPath: [],
    rectangles: rectangles ?? [],
    originalUrl: `/api/blob/${id}`,
    ...(sourceUrl !== undefined && { sourceUrl }),
  };
}

const documentId = "00000000-0000-4000-8000-000000000007";

/** The parts of a fake gateway's state that a citation changes. */
interface Cited {
  originals: Record<string, FakeOriginal>;
  sources: SourceWire[];
}

/** Makes a passage of this file the third source of the next answer. */
export function cite(gateway: Cited, original: FakeOriginal, passage: string): SourceWire {
  const start = original.text.indexOf(passage);
  if (start < 0) throw new Error("The passage isn't in the text.");
  gateway.originals[documentId] = original;
  const source = {
    ...gateway.sources[2]!,
    documentId,
    title: original.title,
    text: passage,
    start,
    end: start + passage.length,
    headingPath: [],
  };
  gateway.sources[2] = source;
  return source;
}
