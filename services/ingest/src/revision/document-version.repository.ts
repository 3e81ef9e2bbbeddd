import type { DocumentVersion, Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";

/** Earlier versions that are kept of a document. */
const keptVersions = 5;
/** Characters; of a longer text, only the facts are kept. */
const longestText = 1_000_000;

/** The contents that documents had before. */
@Injectable()
export class DocumentVersionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The current content and the earlier ones, newest first. The caller checks who may see them. */
  async list(_scope: Scope, documentId: string): Promise<DocumentVersion[]> {
    const rows = await this.dataSource.query<
      (Omit<DocumentVersion, "since" | "until" | "checkedAt"> & {
        since: Date;
        until: Date | null;
        checkedAt: Date | null;
      })[]
    >(
      `SELECT revision AS version, title, bytes::float, word_count AS "wordCount",
        coalesce(revised_at, created_at) AS since, NULL::timestamptz AS until,
        checked_at AS "checkedAt", text_length <= $2 AS "hasText"
      FROM ingest.document
      WHERE id = $1
      UNION ALL
      SELECT number, title, bytes::float, word_count, begun_at, replaced_at, checked_at,
        text IS NOT NULL
      FROM ingest.document_version
      WHERE document_id = $1
      ORDER BY version DESC`,
      [documentId, longestText],
    );
    return rows.map(({ since, until, checkedAt, ...row }) => ({
      ...row,
      since: since.toISOString(),
      until: until?.toISOString() ?? null,
      checkedAt: checkedAt?.toISOString() ?? null,
    }));
  }

  /** The text of a version and of the next one; null if one of them isn't kept. */
  async readPair(
    _scope: Scope,
    documentId: string,
    version: number,
  ): Promise<{ before: string; after: string } | null> {
    const [row] = await this.dataSource.query<{ before: string | null; after: string | null }[]>(
      `SELECT v.text AS before,
        CASE
          WHEN d.revision > v.number + 1 THEN (
            SELECT next.text
            FROM ingest.document_version next
            WHERE next.document_id = d.id AND next.number = v.number + 1
          )
          WHEN d.text_length <= $3 THEN (
            SELECT string_agg(t.text, '' ORDER BY t.start)
            FROM ingest.document_text t
            WHERE t.document_id = d.id
          )
        END AS after
      FROM ingest.document_version v
      JOIN ingest.document d ON d.id = v.document_id
      WHERE v.document_id = $1 AND v.number = $2`,
      [documentId, version, longestText],
    );
    const { before = null, after = null } = row ?? {};
    return before === null || after === null ? null : { before, after };
  }

  /** Keeps the document's content, which is about to be replaced, and drops the oldest one. */
  async keep(_scope: Scope, manager: EntityManager, documentId: string): Promise<void> {
    await manager.query(
      `INSERT INTO ingest.document_version (
        document_id, number, title, bytes, word_count, text_length, text, checked_at, begun_at,
        replaced_at
      )
      SELECT d.id, d.revision, d.title, d.bytes, d.word_count, d.text_length,
        CASE WHEN d.text_length <= $2 THEN (
          SELECT string_agg(t.text, '' ORDER BY t.start)
          FROM ingest.document_text t
          WHERE t.document_id = d.id
        ) END,
        d.checked_at, coalesce(d.revised_at, d.created_at), now()
      FROM ingest.document d
      WHERE d.id = $1`,
      [documentId, longestText],
    );
    await manager.query(
      `DELETE FROM ingest.document_version v USING ingest.document d
      WHERE d.id = $1 AND v.document_id = d.id AND v.number <= d.revision - $2`,
      [documentId, keptVersions],
    );
  }
}
