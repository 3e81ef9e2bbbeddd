import { z } from "zod";

/** Rectangle on a PDF page, in PDF points with the origin at the page's lower left. */
export const pageRectangle = z.object({
  page: z.number().int(),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
});
export type PageRectangle = z.infer<typeof pageRectangle>;

/** How current the text is; only for documents whose source is asked again. */
const currency = {
  /** When the source had this text, ISO 8601. */
  asOf: z.string().optional(),
  /** Number of the document's content: higher once it has changed. */
  revision: z.number().int().optional(),
};

/**
 * A retrieved passage: one chunk or several adjacent ones. Character offsets refer to the
 * document's text; the end is exclusive.
 */
export const passage = z.object({
  chunkId: z.string(),
  documentId: z.string(),
  docpath: z.string(),
  title: z.string(),
  text: z.string(),
  start: z.number().int(),
  end: z.number().int(),
  /** The page of its best chunk. */
  page: z.number().int().nullable(),
  /** If it spans several pages: where each of them starts in the document's text. */
  pageStarts: z.array(z.object({ page: z.number().int(), start: z.number().int() })).optional(),
  headingPath: z.array(z.string()),
  rectangles: z.array(pageRectangle),
  /** 0 to 1: the larger of cosine and the share of the query's IDF mass. */
  score: z.number(),
  denseScore: z.number().nullable(),
  textScore: z.number().nullable(),
  url: z.string(),
  docAuthor: z.string(),
  description: z.string(),
  docSource: z.string(),
  chunkSource: z.string(),
  published: z.string(),
  wordCount: z.number().int(),
  tokenCountEstimate: z.number().int(),
  ...currency,
});
export type Passage = z.infer<typeof passage>;

/**
 * wire-contract 4.8, plus Carrel-specific fields that locate the passage so that a citation opens
 * there.
 */
export const sourceWire = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  docAuthor: z.string(),
  description: z.string(),
  docSource: z.string(),
  chunkSource: z.string(),
  published: z.string(),
  wordCount: z.number().int(),
  token_count_estimate: z.number().int(),
  text: z.string(),
  score: z.number().optional(),
  documentId: z.string(),
  docpath: z.string(),
  page: z.number().int().nullable(),
  start: z.number().int(),
  end: z.number().int(),
  headingPath: z.array(z.string()),
  /** The reader may not see its document: nothing else says anything then. */
  isHidden: z.literal(true).optional(),
  ...currency,
});
export type SourceWire = z.infer<typeof sourceWire>;
