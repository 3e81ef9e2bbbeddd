import type { DocumentSelection, LibraryFilter } from '@carrel/contracts';

/** A condition on `"ingest"."document" d`, with its parameters from `$1` on. */
export interface Condition { sql: string; parameters: unknown[] }

/** Which documents: of a filter or by name, and where they stand to one workspace. */
export interface DocumentQuery {
  filter?: LibraryFilter;
  documentIds?: string[];
  /** Left out of what the filter finds. */ except?: { documentIds: string[]; folders: string[] };
  /** Only those that this workspace does not hold. */ missingInId?: number;
  /** Only those that this workspace holds. */ workspaceId?: number;
  /** Words of the search that few documents have: these are asked of the index of letters. */ rareWords?: string[];
}

export const queryOf = (selection: DocumentSelection): DocumentQuery => ('filter' in selection ? { filter: selection.filter, ...(selection.except && { except: selection.except }) } : { documentIds: selection.documentIds });

/** Words that are all looked for; each may stand in the middle of a longer one. */
export const readWords = (search: string): string[] => search.normalize('NFC').split(/\s+/).filter((word) => word !== '').slice(0, 20);

const states = { waiting: ['queued', 'parsing'], ready: ['parsed'], failed: ['failed'] } as const;
/** In a workspace: what can be found is ready, though its vectors may still come. */
const statesThere = { waiting: ['queued', 'indexing'], ready: ['searchable', 'embedding', 'embedded'], failed: ['failed'] } as const;

/** The query as SQL; files of chats are never part of the library. */
export function buildCondition(query: DocumentQuery): Condition {
  const parts = ['d."in_library"'];
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const { filter } = query;
  if (query.documentIds) parts.push(`d."id" = ANY(${bind(query.documentIds)}::uuid[])`);
  if (query.except?.documentIds.length) parts.push(`d."id" <> ALL(${bind(query.except.documentIds)}::uuid[])`);
  if (query.except?.folders.length) parts.push(`NOT EXISTS (SELECT 1 FROM unnest(${bind(query.except.folders)}::text[]) AS "left" WHERE d."folder" = "left" OR starts_with(d."folder", "left" || '/'))`);
  if (filter) {
    if (filter.folder !== undefined) {
      const folder = bind(filter.folder);
      // '0' follows '/' in the order of the index: all that begins with the path and a slash.
      parts.push(filter.deep ? `(d."folder" = ${folder} OR (d."folder" ~>=~ (${folder} || '/') AND d."folder" ~<~ (${folder} || '0')))` : `d."folder" = ${folder}`);
    }
    for (const word of readWords(filter.search)) {
      const text = bind(word);
      if (query.rareWords?.includes(word)) parts.push(`d."id" IN (SELECT s."document_id" FROM "ingest"."document_words" s WHERE "ingest"."grams"(s."search") @> "ingest"."grams"("ingest"."fold"(${text}::text)))`);
      parts.push(`strpos(d."search", "ingest"."fold"(${text}::text)) > 0`);
    }
    if (filter.kinds.length > 0) parts.push(`d."kind" = ANY(${bind(filter.kinds)}::text[])`);
    if (filter.tags.length > 0) parts.push(`d."tags" @> ${bind(filter.tags)}::text[]`);
    if (filter.state && query.workspaceId === undefined) parts.push(`d."state" = ANY(${bind(states[filter.state])}::text[])`);
    if (filter.addedAfter) parts.push(`d."created_at" >= ${bind(filter.addedAfter)}::timestamptz`);
    if (filter.addedBefore) parts.push(`d."created_at" < ${bind(filter.addedBefore)}::timestamptz`);
  }
  const holds = (workspaceId: number, states: readonly string[] | null): string => `EXISTS (SELECT 1 FROM "ingest"."workspace_document" w WHERE w."document_id" = d."id" AND w."workspace_id" = ${bind(workspaceId)}::int${states === null ? '' : ` AND w."state" = ANY(${bind(states)}::text[])`})`;
  if (query.workspaceId !== undefined) parts.push(holds(query.workspaceId, filter?.state ? statesThere[filter.state] : null));
  if (query.missingInId !== undefined) parts.push(`NOT ${holds(query.missingInId, null)}`);
  return { sql: parts.join(' AND '), parameters };
}

/** How many documents a query finds, as `n`. */
export function buildCount(query: DocumentQuery): Condition {
  const { filter, rareWords, ...rest } = query;
  const { search = '', deep: _deep, ...narrow } = filter ?? {};
  const words = readWords(search);
  const isSearch = words.length > 0 && Object.values({ ...rest, ...narrow }).every((part) => part === undefined || (Array.isArray(part) && part.length === 0));
  if (!isSearch) {
    const { sql, parameters } = buildCondition(query);
    return { sql: `SELECT count(*)::int AS "n" FROM "ingest"."document" d WHERE ${sql}`, parameters };
  }
  // Words of the library's documents stand by themselves too, in a fifth of the pages.
  const parts = words.flatMap((word, n) => [
    ...(rareWords?.includes(word) ? [`"ingest"."grams"(s."search") @> "ingest"."grams"("ingest"."fold"($${n + 1}::text))`] : []), `strpos(s."search", "ingest"."fold"($${n + 1}::text)) > 0`,
  ]);
  return { sql: `SELECT count(*)::int AS "n" FROM "ingest"."document_words" s WHERE ${parts.join(' AND ')}`, parameters: words };
}
