import {
  cursorTime,
  cutPage,
  readCursor,
  type DocumentSelection,
  type LibraryFilter,
} from "@carrel/contracts";
import { z } from "zod";
import { mayRead, type Reader } from "../document/reader.ts";

/** A condition on `"ingest"."document" d` and its parameters, numbered from `$1`. */
export interface Condition {
  sql: string;
  parameters: unknown[];
}

/** Selects documents by filter or by id, optionally by whether a workspace contains them. */
export interface DocumentQuery {
  /** Only documents that this reader may see. */
  reader: Reader;
  filter?: LibraryFilter;
  documentIds?: string[];
  /** Excluded from the filter's results. */
  except?: { documentIds: string[]; folders: string[] };
  /** Only documents that this workspace doesn't contain. */
  missingInId?: number;
  /** Only documents that this workspace contains. */
  workspaceId?: number;
  /** Frequencies of the search words; without it, the documents' own `search` column is scanned. */
  words?: WordPlan;
}

/** The cheapest way to run a search. */
export interface WordPlan {
  /** Rarest first. */
  words: string[];
  /** Words rare enough to look up in the trigram index. */
  rare: string[];
  /**
   * Rare enough to look up in `document_words` first instead of scanning documents in page order.
   */
  isSeldom: boolean;
  /** True if so few documents match that sorting them is cheaper than scanning in page order. */
  isFew: boolean;
}

export const queryOf = (reader: Reader, selection: DocumentSelection): DocumentQuery =>
  "filter" in selection
    ? { reader, filter: selection.filter, ...(selection.except && { except: selection.except }) }
    : { reader, documentIds: selection.documentIds };

/** Search words, all of which must match; each may match inside a longer word. */
export const readWords = (search: string): string[] =>
  search
    .normalize("NFC")
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, 20);

const states = { waiting: ["queued", "parsing"], ready: ["parsed"], failed: ["failed"] } as const;
/** In a workspace, a searchable document is ready even if its embeddings are still pending. */
const statesThere = {
  waiting: ["queued", "indexing"],
  ready: ["searchable", "embedding", "embedded"],
  failed: ["failed"],
} as const;

/** Builds the SQL for a query; chat files are never part of the library. */
export function buildCondition(query: DocumentQuery): Condition {
  const parts = ["d.in_library"];
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const { filter } = query;
  parts.push(mayRead("d.id", `${bind(query.reader)}::int`));
  if (query.documentIds) parts.push(`d.id = ANY(${bind(query.documentIds)}::uuid[])`);
  if (query.except?.documentIds.length)
    parts.push(`d.id <> ALL(${bind(query.except.documentIds)}::uuid[])`);
  if (query.except?.folders.length)
    parts.push(
      `NOT EXISTS (
        SELECT 1 FROM unnest(${bind(query.except.folders)}::text[]) AS "left"
        WHERE d.folder = "left" OR starts_with(d.folder, "left" || '/')
      )`,
    );
  if (filter) {
    if (filter.folder !== undefined) {
      const folder = bind(filter.folder);
      // '0' is the character after '/' in the index order, so the range covers every path that
      // starts with the folder and a slash.
      parts.push(
        filter.deep
          ? `(d.folder = ${folder} OR (d.folder ~>=~ (${folder} || '/') AND d.folder ~<~ (${folder} || '0')))`
          : `d.folder = ${folder}`,
      );
    }
    const words = readWords(filter.search);
    if (words.length > 0)
      parts.push(
        query.words?.isSeldom
          ? buildWordFilter("d.id", query.words, bind)
          : buildWords("d", words, [], bind),
      );
    if (filter.kinds.length > 0) parts.push(`d.kind = ANY(${bind(filter.kinds)}::text[])`);
    if (filter.tags.length > 0) parts.push(`d.tags @> ${bind(filter.tags)}::text[]`);
    if (filter.state && query.workspaceId === undefined)
      parts.push(`d.state = ANY(${bind(states[filter.state])}::text[])`);
    if (filter.addedAfter) parts.push(`d.created_at >= ${bind(filter.addedAfter)}::timestamptz`);
    if (filter.addedBefore) parts.push(`d.created_at < ${bind(filter.addedBefore)}::timestamptz`);
  }
  const holds = (workspaceId: number, states: readonly string[] | null): string =>
    `EXISTS (
      SELECT 1 FROM ingest.workspace_document w
      WHERE w.document_id = d.id
        AND w.workspace_id = ${bind(workspaceId)}::int
        ${states === null ? "" : `AND w.state = ANY(${bind(states)}::text[])`}
    )`;
  if (query.workspaceId !== undefined)
    parts.push(holds(query.workspaceId, filter?.state ? statesThere[filter.state] : null));
  if (query.missingInId !== undefined) parts.push(`NOT ${holds(query.missingInId, null)}`);
  return { sql: parts.join(" AND "), parameters };
}

/** SQL that counts the documents matching a query, as `n`. */
export function buildCount(query: DocumentQuery): Condition {
  const { filter, words: plan, reader, ...rest } = query;
  const { search = "", deep: _deep, ...narrow } = filter ?? {};
  const words = plan?.words ?? readWords(search);
  const isSearch =
    words.length > 0 &&
    Object.values({ ...rest, ...narrow }).every(
      (part) => part === undefined || (Array.isArray(part) && part.length === 0),
    );
  if (!isSearch) {
    const { sql, parameters } = buildCondition(query);
    return {
      sql: `SELECT count(*)::int AS n FROM ingest.document d WHERE ${sql}`,
      parameters,
    };
  }
  // A search without other filters only needs `document_words`, which has a fifth of the pages.
  const parameters: unknown[] = [];
  const bind: Bind = (value) => `$${parameters.push(value)}`;
  return {
    sql: `SELECT count(*)::int AS n FROM ingest.document_words s
      WHERE ${buildWords("s", words, plan?.rare ?? [], bind)}
        AND ${mayRead("s.document_id", `${bind(reader)}::int`)}`,
    parameters,
  };
}

/** Adds a query parameter and returns its placeholder. */
export type Bind = (value: unknown) => string;

/**
 * Requires every word to occur in the table's `search` column, looking up rare words in its index
 * first.
 */
export const buildWords = (
  alias: string,
  words: readonly string[],
  rare: readonly string[],
  bind: Bind,
): string =>
  words
    .flatMap((word) => {
      const folded = `ingest.fold(${bind(word)}::text)`;
      return [
        ...(rare.includes(word)
          ? [`ingest.grams(${alias}.search) @> ingest.grams(${folded})`]
          : []),
        `strpos(${alias}.search, ${folded}) > 0`,
      ];
    })
    .join(" AND ");

/**
 * Requires the document with this id to contain all words. A few matches are joined; for more, IS
 * TRUE prevents the join, so PostgreSQL hashes their ids and keeps the page's order.
 */
export function buildWordFilter(id: string, { words, rare, isFew }: WordPlan, bind: Bind): string {
  const found = `${id} IN (
      SELECT s.document_id FROM ingest.document_words s WHERE ${buildWords("s", words, rare, bind)}
    )`;
  return isFew ? found : `(${found}) IS TRUE`;
}

/** Columns of `document d` that lists can be sorted by, their types and their values as text. */
const columns = {
  added: {
    name: "d.created_at",
    type: "timestamptz",
    text: `to_char(d.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    value: cursorTime,
  },
  title: {
    name: "d.sort_title",
    type: "text",
    text: "d.sort_title",
    // PostgreSQL's texts have no NUL.
    value: z
      .string()
      .max(400)
      .refine((title) => !title.includes("\0")),
  },
  bytes: {
    name: "d.bytes",
    type: "bigint",
    text: "d.bytes::text",
    value: z.string().regex(/^\d{1,18}$/),
  },
} as const;

/** Order of a list: by a column or by nothing but the ID, which also orders equal rows. */
export interface DocumentOrder {
  sort: keyof typeof columns;
  descending: boolean;
  id: { name: string; type: "uuid" | "int"; value: z.ZodType<string | number> };
  /** Whether IDs are already in the order of `sort`. */
  isById?: boolean;
}

/** SQL of an order; `place` is the column's value as text, for a cursor. */
export function describeOrder({ sort, descending, id, isById }: DocumentOrder): {
  order: string;
  place: string;
} {
  const way = descending ? "DESC" : "ASC";
  const { name, text } = columns[sort];
  return isById === true
    ? { order: `${id.name} ${way}`, place: "''" }
    : { order: `${name} ${way}, ${id.name} ${way}`, place: text };
}

/** SQL condition for the rows after the one that such a list's cursor names. */
export function isAfter(
  { sort, descending, id, isById }: DocumentOrder,
  cursor: string,
  bind: Bind,
): string {
  const { name, type, value } = columns[sort];
  const place = z.tuple([
    z.literal(sort),
    z.literal(descending),
    isById === true ? z.literal("") : value,
    id.value,
  ]);
  const [, , at, lastId] = readCursor(place, cursor);
  const way = descending ? "<" : ">";
  const last = `${bind(lastId)}::${id.type}`;
  return isById === true
    ? `${id.name} ${way} ${last}`
    : `(${name}, ${id.name}) ${way} (${bind(at)}::${type}, ${last})`;
}

export const cutDocuments = <Row extends { id: string | number; place: string }>(
  rows: readonly Row[],
  limit: number,
  { sort, descending }: DocumentOrder,
): { page: Row[]; nextCursor: string | null } =>
  cutPage(rows, limit, ({ place, id }) => [sort, descending, place, id]);
