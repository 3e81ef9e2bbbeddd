import type { Scope } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { ParsedPage } from "../parsing/parsed-document.ts";

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
 * ranges share it: those of a page of chunks would send each part twenty times.
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
