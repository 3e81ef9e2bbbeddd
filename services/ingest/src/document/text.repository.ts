import type { Scope } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import type { ParsedPage } from "../parsing/parsed-document.ts";
import type { PreparedText } from "../work-pool/work.ts";

/** A range of a document's text in UTF-16 units, end exclusive. */
export interface TextRange {
  documentId: string;
  start: number;
  end: number;
}

/** A stored part `t` that overlaps the range `r` with this number, from 1. */
export interface PartRow {
  n: number;
  documentId: string;
  start: number;
  /** Null if an earlier row has it. */
  text: string | null;
}

/**
 * The columns of `PartRow`, in rows ordered by `r.n, t.start`. A part is sent once, however many
 * ranges share it: a page of chunks would otherwise send each part twenty times.
 */
export const partColumns = `r.n::int AS n, r.id AS "documentId", t.start,
  CASE
    WHEN row_number() OVER (PARTITION BY t.document_id, t.start ORDER BY r.n) = 1 THEN t.text
  END AS text`;

/** Returns the texts of the ranges, in their order. */
export function joinRanges(ranges: TextRange[], rows: PartRow[]): string[] {
  const texts = ranges.map(() => "");
  const parts = new Map<string, string>();
  for (const { n, documentId, start, text } of rows) {
    const key = `${documentId} ${start}`;
    if (text !== null) parts.set(key, text);
    const range = ranges[n - 1]!;
    texts[n - 1] += parts.get(key)!.slice(Math.max(0, range.start - start), range.end - start);
  }
  return texts;
}

/**
 * Reads text and pages by range. The caller's workspace or library lookup decides who may see a
 * document.
 */
@Injectable()
export class TextRepository {
  constructor(private readonly dataSource: DataSource) {}

  async read(scope: Scope, range: TextRange): Promise<string> {
    return (await this.readAll(scope, [range]))[0]!;
  }

  /** Returns the texts of many ranges, in the given order, with one query. */
  async readAll(_scope: Scope, ranges: TextRange[]): Promise<string[]> {
    if (ranges.length === 0) return [];
    const rows = await preparedQuery<PartRow>(
      this.dataSource,
      "read text ranges",
      `SELECT ${partColumns}
      FROM unnest($1::uuid[], $2::int[], $3::int[]) WITH ORDINALITY AS r(id, "from", "to", n)
      JOIN ingest.document_text t ON t.document_id = r.id
        AND t."end" > r."from"
        AND t.start < r."to"
      ORDER BY r.n, t.start`,
      [ranges.map((r) => r.documentId), ranges.map((r) => r.start), ranges.map((r) => r.end)],
    );
    return joinRanges(ranges, rows);
  }

  /** Like `read`, but "" if the document has other content than this revision of it. */
  async readRevision(_scope: Scope, range: TextRange, revision: number): Promise<string> {
    const rows = await preparedQuery<PartRow>(
      this.dataSource,
      "read text of revision",
      `SELECT 1 AS n, d.id AS "documentId", t.start, t.text
      FROM ingest.document d
      JOIN ingest.document_text t ON t.document_id = d.id AND t."end" > $3 AND t.start < $4
      WHERE d.id = $1 AND d.revision = $2
      ORDER BY t.start`,
      [range.documentId, revision, range.start, range.end],
    );
    return joinRanges([range], rows)[0]!;
  }

  /** Pages overlapping the ranges, by document id. */
  async readPages(_scope: Scope, ranges: TextRange[]): Promise<Map<string, ParsedPage[]>> {
    if (ranges.length === 0) return new Map();
    const rows = await this.dataSource.query<
      ({ document_id: string } & Parameters<typeof mapPageRow>[0])[]
    >(
      `SELECT DISTINCT ON (p.document_id, p.page) p.document_id, p.page, p.start, p."end", p.width,
        p.height, p.runs
      FROM unnest($1::uuid[], $2::int[], $3::int[]) AS r(id, "from", "to")
      JOIN ingest.document_page p ON p.document_id = r.id
        AND p."end" > r."from"
        AND p.start < r."to"
      ORDER BY p.document_id, p.page`,
      [ranges.map((r) => r.documentId), ranges.map((r) => r.start), ranges.map((r) => r.end)],
    );
    return Map.groupBy(
      rows.map((row) => ({ documentId: row.document_id, ...mapPageRow(row) })),
      (page) => page.documentId,
    );
  }

  /**
   * Where the pages with text in a range start, and the one before its start, which may begin
   * earlier.
   */
  listPageStartsIn(
    _scope: Scope,
    { documentId, start, end }: TextRange,
  ): Promise<{ page: number; start: number }[]> {
    return this.dataSource.query(
      `SELECT page, start
      FROM ingest.document_page
      WHERE document_id = $1
        AND start < $3
        AND "end" > start
        AND start >= coalesce(
          (
            SELECT max(start) FROM ingest.document_page
            WHERE document_id = $1 AND start <= $2 AND "end" > start
          ),
          0
        )
      ORDER BY page`,
      [documentId, start, end],
    );
  }

  /** Where a page starts; null if the document has no such page. */
  async findPageStart(_scope: Scope, documentId: string, page: number): Promise<number | null> {
    const rows = await this.dataSource.query<{ start: number }[]>(
      "SELECT start FROM ingest.document_page WHERE document_id = $1 AND page = $2",
      [documentId, page],
    );
    return rows[0]?.start ?? null;
  }

  /** Page ranges, for the splitter. */
  listPageStarts(
    _scope: Scope,
    documentId: string,
  ): Promise<{ page: number; start: number; end: number }[]> {
    return this.dataSource.query(
      `SELECT page, start, "end" FROM ingest.document_page WHERE document_id = $1 ORDER BY page`,
      [documentId],
    );
  }
}

/** Maps a stored page; runs are the bytes of a Float32Array. */
export const mapPageRow = (row: {
  page: number;
  start: number;
  end: number;
  width: number;
  height: number;
  runs: Buffer;
}): ParsedPage => ({
  ...row,
  runs: new Float32Array(
    row.runs.buffer.slice(row.runs.byteOffset, row.runs.byteOffset + row.runs.byteLength),
  ),
});

interface StoredText {
  id: string;
  version: number;
  text: PreparedText;
}

/** Stores texts with their pages, in the transaction that marks their documents as parsed. */
export async function storeTexts(manager: EntityManager, documents: StoredText[]): Promise<void> {
  await dropTexts(manager, documents);
  await storeParts(manager, documents);
  await storePages(manager, documents);
}

/** Deletes the old texts of documents that were read before, because a new text may be shorter. */
async function dropTexts(
  manager: EntityManager,
  documents: { id: string; version: number }[],
): Promise<void> {
  const ids = documents.filter(({ version }) => version > 1).map(({ id }) => id);
  if (ids.length === 0) return;
  for (const table of ["document_text", "document_page"])
    await manager.query(`DELETE FROM ingest.${table} WHERE document_id = ANY($1::uuid[])`, [ids]);
}

/**
 * In batches, so that no statement exceeds a few megabytes. The texts are JSON because the driver
 * takes twenty times as long to quote them in an array, on the main thread: 1.5 s for 2 MB of
 * quotation marks on a busy machine.
 */
async function storeParts(manager: EntityManager, documents: StoredText[]): Promise<void> {
  const all = documents.flatMap(({ id, text }) => text.parts.map((part) => ({ id, part })));
  for (let i = 0; i < all.length; i += 64) {
    const some = all.slice(i, i + 64);
    await preparedQuery(
      manager.queryRunner!,
      "store texts",
      `INSERT INTO ingest.document_text (document_id, start, "end", text)
      SELECT *
      FROM unnest(
        $1::uuid[], $2::int[], $3::int[], ARRAY(SELECT json_array_elements_text($4::json))
      )
      ON CONFLICT (document_id, start) DO UPDATE SET "end" = excluded."end", text = excluded.text`,
      [
        some.map(({ id }) => id),
        some.map(({ part }) => part.start),
        some.map(({ part }) => part.start + part.text.length),
        JSON.stringify(some.map(({ part }) => part.text)),
      ],
    );
  }
}

async function storePages(manager: EntityManager, documents: StoredText[]): Promise<void> {
  const all = documents.flatMap(({ id, text }) => text.pages.map((page) => ({ id, page })));
  for (let i = 0; i < all.length; i += 200) {
    const some = all.slice(i, i + 200);
    await manager.query(
      `INSERT INTO ingest.document_page (document_id, page, start, "end", width, height, runs)
      SELECT *
      FROM unnest($1::uuid[], $2::int[], $3::int[], $4::int[], $5::real[], $6::real[], $7::bytea[])
      ON CONFLICT (document_id, page) DO UPDATE SET start = excluded.start, "end" = excluded."end",
        runs = excluded.runs`,
      [
        some.map(({ id }) => id),
        some.map(({ page }) => page.page),
        some.map(({ page }) => page.start),
        some.map(({ page }) => page.end),
        some.map(({ page }) => page.width),
        some.map(({ page }) => page.height),
        some.map(({ page: { runs } }) =>
          Buffer.from(runs.buffer, runs.byteOffset, runs.byteLength),
        ),
      ],
    );
  }
}
