import type { DocumentSelection, LibraryFilter } from "@carrel/contracts";

/** A condition on `"ingest"."document" d`, with its parameters from `$1` on. */
export interface Condition {
  sql: string;
  parameters: unknown[];
}

/** Which documents: of a filter or by name, and where they stand to one workspace. */
export interface DocumentQuery {
  filter?: LibraryFilter;
  documentIds?: string[];
  /** Left out of what the filter finds. */ except?: { documentIds: string[]; folders: string[] };
  /** Only those that this workspace does not hold. */ missingInId?: number;
  /** Only those that this workspace holds. */ workspaceId?: number;
  /** How common the words of the search are; without it they are looked for in the documents themselves. */ words?: WordPlan;
}

/** How a search is best made. */
export interface WordPlan {
  /** The rarest first. */ words: string[];
  /** Those that are asked of the index of letters. */ rare: string[];
  /** The documents that have them are found beside the documents, before their order is looked at. */ isSeldom: boolean;
  /** They are so few that they are best sorted by themselves. */ isFew: boolean;
}

export const queryOf = (selection: DocumentSelection): DocumentQuery =>
  "filter" in selection
    ? { filter: selection.filter, ...(selection.except && { except: selection.except }) }
    : { documentIds: selection.documentIds };

/** Words that are all looked for; each may stand in the middle of a longer one. */
export const readWords = (search: string): string[] =>
  search
    .normalize("NFC")
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, 20);

const states = { waiting: ["queued", "parsing"], ready: ["parsed"], failed: ["failed"] } as const;
/** In a workspace: what can be found is ready, though its vectors may still come. */
const statesThere = {
  waiting: ["queued", "indexing"],
  ready: ["searchable", "embedding", "embedded"],
  failed: ["failed"],
} as const;

/** The query as SQL; files of chats are never part of the library. */
export function buildCondition(query: DocumentQuery): Condition {
  const parts = ['d."in_library"'];
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const { filter } = query;
  if (query.documentIds) parts.push(`d."id" = ANY(${bind(query.documentIds)}::uuid[])`);
  if (query.except?.documentIds.length)
    parts.push(`d."id" <> ALL(${bind(query.except.documentIds)}::uuid[])`);
  if (query.except?.folders.length)
    parts.push(
      `NOT EXISTS (SELECT 1 FROM unnest(${bind(query.except.folders)}::text[]) AS "left" WHERE d."folder" = "left" OR starts_with(d."folder", "left" || '/'))`,
    );
  if (filter) {
    if (filter.folder !== undefined) {
      const folder = bind(filter.folder);
      // '0' follows '/' in the order of the index: all that begins with the path and a slash.
      parts.push(
        filter.deep
          ? `(d."folder" = ${folder} OR (d."folder" ~>=~ (${folder} || '/') AND d."folder" ~<~ (${folder} || '0')))`
          : `d."folder" = ${folder}`,
      );
    }
    const words = readWords(filter.search);
    if (words.length > 0)
      parts.push(
        query.words?.isSeldom
          ? buildWordFilter('d."id"', query.words, bind)
          : buildWords("d", words, [], bind),
      );
    if (filter.kinds.length > 0) parts.push(`d."kind" = ANY(${bind(filter.kinds)}::text[])`);
    if (filter.tags.length > 0) parts.push(`d."tags" @> ${bind(filter.tags)}::text[]`);
    if (filter.state && query.workspaceId === undefined)
      parts.push(`d."state" = ANY(${bind(states[filter.state])}::text[])`);
    if (filter.addedAfter) parts.push(`d."created_at" >= ${bind(filter.addedAfter)}::timestamptz`);
    if (filter.addedBefore) parts.push(`d."created_at" < ${bind(filter.addedBefore)}::timestamptz`);
  }
  const holds = (workspaceId: number, states: readonly string[] | null): string =>
    `EXISTS (SELECT 1 FROM "ingest"."workspace_document" w WHERE w."document_id" = d."id" AND w."workspace_id" = ${bind(workspaceId)}::int${states === null ? "" : ` AND w."state" = ANY(${bind(states)}::text[])`})`;
  if (query.workspaceId !== undefined)
    parts.push(holds(query.workspaceId, filter?.state ? statesThere[filter.state] : null));
  if (query.missingInId !== undefined) parts.push(`NOT ${holds(query.missingInId, null)}`);
  return { sql: parts.join(" AND "), parameters };
}

/** How many documents a query finds, as `n`. */
export function buildCount(query: DocumentQuery): Condition {
  const { filter, words: plan, ...rest } = query;
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
      sql: `SELECT count(*)::int AS "n" FROM "ingest"."document" d WHERE ${sql}`,
      parameters,
    };
  }
  // Words of the library's documents stand by themselves too, in a fifth of the pages.
  const parameters: unknown[] = [];
  return {
    sql: `SELECT count(*)::int AS "n" FROM "ingest"."document_words" s WHERE ${buildWords("s", words, plan?.rare ?? [], (value) => `$${parameters.push(value)}`)}`,
    parameters,
  };
}

/** Takes a parameter of a query and gives its name there. */
export type Bind = (value: unknown) => string;

/**
 * All words stand in the column `search` of a table; the rare ones are asked of its index first.
 */
export const buildWords = (
  alias: string,
  words: readonly string[],
  rare: readonly string[],
  bind: Bind,
): string =>
  words
    .flatMap((word) => {
      const folded = `"ingest"."fold"(${bind(word)}::text)`;
      return [
        ...(rare.includes(word)
          ? [`"ingest"."grams"(${alias}."search") @> "ingest"."grams"(${folded})`]
          : []),
        `strpos(${alias}."search", ${folded}) > 0`,
      ];
    })
    .join(" AND ");

/**
 * The document of this id has all words. Few documents are joined; of more PostgreSQL keeps their
 * ids, and whatever order the page has (IS TRUE: so it makes no join of it).
 */
export function buildWordFilter(id: string, { words, rare, isFew }: WordPlan, bind: Bind): string {
  const found = `${id} IN (SELECT s."document_id" FROM "ingest"."document_words" s WHERE ${buildWords("s", words, rare, bind)})`;
  return isFew ? found : `(${found}) IS TRUE`;
}
