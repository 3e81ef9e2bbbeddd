import { CarrelError, type FileItem, type Scope } from '@carrel/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { defaultFolder } from '../document/docpath.ts';
import { mapToFileItem, type LibraryRow } from '../document/document.mapper.ts';

/** `file` is null for a folder that comes next, or that holds nothing. */
export interface TreeEntry { folder: string; file: FileItem | null }
type Row = LibraryRow & { folder: string };

/** Bytes of the files in one reply between services, which holds 1 MB. */
const bytesAtOnce = 900_000;
const cursorShape = z.object({ /** Past the folder of uploads, which comes first. */ rest: z.boolean(), folder: z.string(), docpath: z.string() });

const columns = `d."folder", d."docpath", d."id", d."url", d."title", d."doc_author" AS "docAuthor", d."description", d."doc_source" AS "docSource", d."chunk_source" AS "chunkSource", d."published", d."word_count" AS "wordCount",
  d."token_count" AS "tokenCount", coalesce(l."pinned", '{}') AS "pinnedWorkspaces", coalesce(l."watched", false) AS "watched", coalesce(l."cached", false) AS "cached"`;
/** What workspaces do with a document. */
const links = `LEFT JOIN LATERAL (SELECT array_agg(w."workspace_id" ORDER BY w."workspace_id") FILTER (WHERE w."pinned") AS "pinned", bool_or(w."watched") AS "watched", bool_or(w."embedded_at" IS NOT NULL) AS "cached"
  FROM "ingest"."workspace_document" w WHERE w."document_id" = d."id") l ON true`;
const shown = `d."state" = 'parsed' AND d."in_library"`;

/** The library as existing clients see it (wire-contract 2.4): flat folders of documents that were read. */
@Injectable()
export class LibraryTree {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The whole tree in its order, a part at a time: the folder of uploads, then the others with their documents. Each part goes
   * on in the index where the one before ended, so that all of them together are one pass. `next` is null at the end.
   */
  async readPart(_scope: Scope, after: string | null, limit: number): Promise<{ entries: TreeEntry[]; next: string | null }> {
    const cursor = after === null ? { rest: false, folder: defaultFolder, docpath: '' } : readCursor(after);
    const head: TreeEntry[] = after === null ? [{ folder: defaultFolder, file: null }] : [];
    const rows = cursor.rest ? await this.listRest(cursor, limit) : await this.listUploads(cursor.docpath, limit);
    const { entries, last } = fit(rows);
    if (last === null || (rows.length < limit && last === rows.length - 1)) return { entries: [...head, ...entries], next: cursor.rest ? null : writeCursor({ rest: true, folder: '', docpath: '' }) };
    return { entries: [...head, ...entries], next: writeCursor({ rest: cursor.rest, folder: rows[last]!.folder, docpath: rows[last]!.docpath }) };
  }

  /** One folder by page; fewer than `limit` where they would not fit into a reply. */
  async listFolder(_scope: Scope, folder: string, offset: number, limit: number): Promise<{ files: FileItem[]; total: number; exists: boolean }> {
    const [rows, [count]] = await Promise.all([
      this.dataSource.query<Row[]>(`SELECT ${columns} FROM "ingest"."document" d ${links} WHERE ${shown} AND d."folder" = $1 ORDER BY d."docpath" LIMIT $2 OFFSET $3`, [folder, limit, offset]),
      this.dataSource.query<{ total: number; made: boolean }[]>(`SELECT (SELECT count(*) FROM "ingest"."document" d WHERE ${shown} AND d."folder" = $1)::int AS "total", EXISTS (SELECT 1 FROM "ingest"."folder" WHERE "name" = $1) AS "made"`, [folder]),
    ]);
    return { files: fit(rows).entries.map((entry) => entry.file!), total: count!.total, exists: folder === defaultFolder || count!.made || count!.total > 0 };
  }

  /** By ids or docpaths, in the order of docpath; those that were not read are not shown. */
  async listRows(_scope: Scope, by: { ids: string[] } | { docpaths: string[] }): Promise<TreeEntry[]> {
    const [column, values] = 'ids' in by ? ['d."id" = ANY($1::uuid[])', by.ids] : ['d."docpath" = ANY($1::text[])', by.docpaths];
    const rows = await this.dataSource.query<Row[]>(`SELECT ${columns} FROM "ingest"."document" d ${links} WHERE ${shown} AND ${column} ORDER BY d."docpath"`, [values]);
    return rows.map((row) => ({ folder: row.folder, file: mapToFileItem(row) }));
  }

  private listUploads(docpath: string, limit: number): Promise<Row[]> {
    return this.dataSource.query(`SELECT ${columns} FROM "ingest"."document" d ${links} WHERE ${shown} AND d."folder" = $1 AND d."docpath" > $2 ORDER BY d."docpath" LIMIT $3`, [defaultFolder, docpath, limit]);
  }

  /** Folders that somebody made stand before their documents, by an empty docpath. */
  private listRest({ folder, docpath }: { folder: string; docpath: string }, limit: number): Promise<Row[]> {
    return this.dataSource.query(`WITH "page" AS (
        SELECT * FROM (SELECT d."folder", d."docpath", d."id" FROM "ingest"."document" d WHERE ${shown} AND (d."folder", d."docpath") > ($1, $2) AND d."folder" <> $4 ORDER BY d."folder", d."docpath" LIMIT $3) "files"
        UNION ALL SELECT * FROM (SELECT f."name", '', NULL::uuid FROM "ingest"."folder" f WHERE f."name" >= $1 AND (f."name", '') > ($1, $2) AND f."name" <> $4 ORDER BY f."name" LIMIT $3) "folders"
        ORDER BY 1, 2 LIMIT $3)
      SELECT "page"."folder", "page"."docpath", "found".* FROM "page" LEFT JOIN LATERAL (SELECT ${columns.replace('d."folder", d."docpath", ', '')} FROM "ingest"."document" d ${links} WHERE d."id" = "page"."id") "found" ON true ORDER BY 1, 2`,
    [folder, docpath, limit, defaultFolder]);
  }
}

const writeCursor = (cursor: z.infer<typeof cursorShape>): string => JSON.stringify(cursor);
function readCursor(text: string): z.infer<typeof cursorShape> {
  try {
    return cursorShape.parse(JSON.parse(text));
  } catch (cause) {
    throw new CarrelError('BAD_INPUT', 'This is no place in the library.', { cause });
  }
}

/** As many rows as fit into a reply; `last` is the index of the last of them, null when there are none. */
function fit(rows: Row[]): { entries: TreeEntry[]; last: number | null } {
  const entries: TreeEntry[] = [];
  let bytes = 0;
  for (const row of rows) {
    const entry: TreeEntry = { folder: row.folder, file: row.docpath === '' ? null : mapToFileItem(row) };
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    if (bytes > bytesAtOnce && entries.length > 0) break;
    entries.push(entry);
  }
  return { entries, last: entries.length === 0 ? null : entries.length - 1 };
}
