/** A document that the person may read, without its text. */
export interface DocumentEntry {
  id: string;
  title: string;
  docpath: string;
  /** As filters take it; null: the root. */
  folder: string | null;
  /** MIME type. */
  type: string;
  /** null: it has none. */
  pages: number | null;
  wordCount: number;
  /** Of its text, in UTF-16 units. */
  length: number;
  /** ISO 8601. */
  addedAt: string;
  /* As in `Passage`. */
  url: string;
  docAuthor: string;
  description: string;
  docSource: string;
  chunkSource: string;
  published: string;
}

/** A range of a document's text; the end is exclusive. */
export interface DocumentPart {
  text: string;
  start: number;
  end: number;
  /** Where the pages in it start, in order; the first may start before. Empty: it has none. */
  pages: { page: number; start: number }[];
  /** The headings in it, and the one that applies at its start: `path` applies from `start` on. */
  headings: { path: string[]; start: number }[];
}

export interface DocumentFilter {
  /** Part of the title; '' for any. */
  name: string;
  folder: string | null;
  /** A kind, MIME type or extension, as `retrievalFilter.types`. */
  type: string | null;
  offset: number;
  limit: number;
}

/** The documents of the workspace, as far as the person may read them. May throw CarrelError. */
export interface DocumentPort {
  /** Newest first. */
  list(
    filter: DocumentFilter,
    signal: AbortSignal,
  ): Promise<{ documents: DocumentEntry[]; total: number }>;
  /** Those with this id or title; if there are none, those whose title contains the name. At most 10. */
  find(name: string, signal: AbortSignal): Promise<DocumentEntry[]>;
  /** The text from `from` to `to`, or less of it if that is too much for one reply. */
  text(id: string, from: number, to: number, signal: AbortSignal): Promise<DocumentPart>;
  /** Where a page starts; null: there is none of this number. */
  pageStart(id: string, page: number, signal: AbortSignal): Promise<number | null>;
}
