import type { Scope, WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { buildPublicationId } from "../chunking/chunk-id.ts";

/** Records unreferenced index rows for the sweeper. */
@Injectable()
export class IndexGarbage {
  /**
   * Abandons the rows of a run that didn't publish, unless another run of the same version did or
   * still may: the job of a replica that stopped responding runs twice, and both runs write the
   * same rows.
   */
  async abandon(
    scope: WorkspaceScope,
    manager: EntityManager,
    id: number,
    version: number,
  ): Promise<void> {
    const [row] = await manager.query<{ version: number; index_version: number | null }[]>(
      `SELECT version, index_version FROM ingest.workspace_document WHERE id = $1 FOR UPDATE`,
      [id],
    );
    if (row?.version !== version && row?.index_version !== version)
      await this.add(scope, manager, buildPublicationId(id, version));
  }

  /**
   * Turns removed links of a workspace into garbage and deletes their chunks; returns how many.
   * Other replicas may process other links at the same time.
   */
  async collectRemoved(
    _scope: Scope,
    manager: EntityManager,
    workspaceId: number,
    limit: number,
  ): Promise<number> {
    const [rows] = await manager.query<
      [{ workspace_document_id: number; version: number; index_version: number | null }[], number]
    >(
      `WITH "some" AS (
        SELECT id FROM ingest.removed_link
        WHERE workspace_id = $1
        ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
      )
      DELETE FROM ingest.removed_link r USING "some"
      WHERE r.id = "some".id
      RETURNING r.workspace_document_id, r.version, r.index_version`,
      [workspaceId, limit],
    );
    if (rows.length === 0) return 0;
    await manager.query(`DELETE FROM ingest.chunk WHERE workspace_document_id = ANY($1::int[])`, [
      rows.map((row) => row.workspace_document_id),
    ]);
    // A running job may also have written rows of the current version.
    const publications = rows.flatMap((row) =>
      [...new Set([row.version, row.index_version ?? row.version])].map((version) =>
        buildPublicationId(row.workspace_document_id, version),
      ),
    );
    await manager.query(
      `INSERT INTO ingest.index_garbage (workspace_id, publication) SELECT $1::int, unnest($2::uuid[])`,
      [workspaceId, publications],
    );
    return rows.length;
  }

  async add(scope: WorkspaceScope, manager: EntityManager, publication: string): Promise<void> {
    await manager.query(
      `INSERT INTO ingest.index_garbage (workspace_id, publication) VALUES ($1, $2)`,
      [scope.workspace.id, publication],
    );
  }

  /** Marks everything the indexes hold for a workspace as garbage. */
  async addWorkspace(_scope: Scope, manager: EntityManager, workspaceId: number): Promise<void> {
    await manager.query(
      `INSERT INTO ingest.index_garbage (workspace_id, publication) VALUES ($1, NULL)`,
      [workspaceId],
    );
  }
}
