import type { Scope, WatchedDocument, WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { mayRead, readerOf } from "../document/reader.ts";

const columns = `d.id AS "documentId", d.docpath, d.title, d.chunk_source AS "chunkSource", d.watch,
  d.watched_by AS "watchedBy", d.audience_id IS NOT NULL AS "isRestricted",
  ARRAY(
    SELECT l.workspace_id FROM ingest.workspace_document l
    WHERE l.document_id = d.id ORDER BY l.workspace_id
  ) AS "workspaceIds"`;

/** Which documents follow their sources. */
@Injectable()
export class WatchedDocumentRepository {
  constructor(private readonly dataSource: DataSource) {}

  async watch(
    { principal }: Scope,
    manager: EntityManager,
    documentId: string,
    watched: boolean,
  ): Promise<void> {
    await manager.query(
      `UPDATE ingest.document SET watch = CASE WHEN $2 THEN 'active' END, watched_by = $3
      WHERE id = $1`,
      [documentId, watched, principal.userId],
    );
  }

  /** Returns whether it was watched. */
  async end(_scope: Scope, documentId: string, isGivenUp: boolean): Promise<boolean> {
    const [rows] = await this.dataSource.query<[unknown[], number]>(
      `UPDATE ingest.document SET watch = CASE WHEN $2 THEN 'stopped' END
      WHERE id = $1 AND watch = 'active' RETURNING 1`,
      [documentId, isGivenUp],
    );
    return rows.length > 0;
  }

  /** Those that the caller may see. */
  describe(scope: Scope, documentIds: readonly string[]): Promise<WatchedDocument[]> {
    return this.dataSource.query(
      `SELECT ${columns} FROM ingest.document d
      WHERE d.id = ANY($1::uuid[]) AND d.in_library AND ${mayRead("d.id", "$2::int")}`,
      [documentIds, readerOf(scope)],
    );
  }

  /** Those of any workspace that the caller may see, by id. */
  async listIds(scope: Scope, after: string | null, limit: number): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `SELECT d.id FROM ingest.document d
      WHERE d.watch = 'active' AND d.in_library AND ($1::uuid IS NULL OR d.id > $1)
        AND ${mayRead("d.id", "$3::int")}
      ORDER BY d.id LIMIT $2`,
      [after, limit, readerOf(scope)],
    );
    return rows.map(({ id }) => id);
  }

  /** Those of the workspace that the caller may see, by id. */
  list(
    scope: WorkspaceScope,
    {
      after,
      limit,
      documentId,
    }: { after: string | null; limit: number; documentId?: string | undefined },
  ): Promise<WatchedDocument[]> {
    return this.dataSource.query(
      `SELECT ${columns} FROM ingest.document d
      JOIN ingest.workspace_document w ON w.document_id = d.id AND w.workspace_id = $1
      WHERE d.watch IS NOT NULL AND d.in_library
        AND ($2::uuid IS NULL OR d.id > $2) AND ($4::uuid IS NULL OR d.id = $4)
        AND ${mayRead("d.id", "$5::int")}
      ORDER BY d.id LIMIT $3`,
      [scope.workspace.id, after, limit, documentId ?? null, readerOf(scope)],
    );
  }
}
