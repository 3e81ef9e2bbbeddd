import type { Scope, WorkspaceScope } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";

/** Stored instead of a language if none could be detected (ISO 639-2). */
export const undetermined = "und";

/** Number of chunks with vectors that a language has in an index. */
export interface LanguageCount {
  language: string;
  chunks: number;
}

/** Languages of searchable workspace documents, for the instance's internal work and searches. */
@Injectable()
export class DocumentLanguageRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Documents that are searchable in some workspace and whose language isn't known yet; with
   * `among`, only those of these workspace documents.
   */
  async listUnknown(_scope: Scope, limit: number, among: number[] | null): Promise<string[]> {
    const rows = await preparedQuery<{ id: string }>(
      this.dataSource,
      among === null ? "list unknown languages" : "list unknown languages among",
      `SELECT DISTINCT document_id AS id FROM ingest.workspace_document
      WHERE language IS NULL AND index_version IS NOT NULL
        ${among === null ? "" : "AND id = ANY($2::int[])"}
      LIMIT $1`,
      among === null ? [limit] : [limit, among],
    );
    return rows.map(({ id }) => id);
  }

  async save(_scope: Scope, documents: { id: string; language: string }[]): Promise<void> {
    await this.dataSource.query(
      `UPDATE ingest.workspace_document w SET language = d.language
      FROM unnest($1::uuid[], $2::text[]) AS d(id, language)
      WHERE w.document_id = d.id AND w.language IS NULL`,
      [documents.map(({ id }) => id), documents.map(({ language }) => language)],
    );
  }

  /** Languages of the documents with vectors in the table, most chunks first. */
  countEmbedded(_scope: Scope, table: string): Promise<LanguageCount[]> {
    return this.dataSource.query(
      `SELECT language, sum(chunk_count)::int AS chunks
      FROM ingest.workspace_document
      WHERE index_version IS NOT NULL AND embedded_model = $1 AND language IS NOT NULL
      GROUP BY language
      ORDER BY 2 DESC, 1`,
      [table],
    );
  }

  /**
   * The workspace documents whose vectors don't count: they aren't in the table yet, or the
   * language isn't one of these. `null` stands for a language that isn't known yet.
   */
  async listWithoutVectors(
    scope: WorkspaceScope,
    ids: number[],
    table: string,
    languages: readonly (string | null)[],
  ): Promise<Set<number>> {
    if (ids.length === 0) return new Set();
    const rows = await preparedQuery<{ id: number }>(
      this.dataSource,
      "list documents without vectors",
      `WITH w AS MATERIALIZED (
        SELECT id, workspace_id, embedded_model, coalesce(language, '') AS language
        FROM ingest.workspace_document
        WHERE id = ANY($2::int[])
      )
      SELECT id
      FROM w
      WHERE workspace_id = $1
        AND (embedded_model IS DISTINCT FROM $3 OR language <> ALL($4::text[]))`,
      [scope.workspace.id, ids, table, languages.map((language) => language ?? "")],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
