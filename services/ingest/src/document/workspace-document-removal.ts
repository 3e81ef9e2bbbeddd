import {
  sweepIndex,
  workspaceDocumentsChanged,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";
import { eventMessage, jobMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";

/** The documents that one removal removed from one workspace. */
export interface Removal {
  workspaceId: number;
  removed: number;
  /** The first removed documents, at most `reportedDocuments`. */
  documentIds: string[];
}

/** Larger removals aren't reported document by document; open panels reload their list instead. */
const reportedDocuments = 500;

/**
 * Removes documents from workspaces. They disappear with the commit; a job sweeps their index rows.
 */
@Injectable()
export class WorkspaceDocumentRemoval {
  constructor(private readonly outbox: Outbox) {}

  /** False if the workspace doesn't hold the document. */
  async remove(
    scope: WorkspaceScope,
    manager: EntityManager,
    documentId: string,
  ): Promise<boolean> {
    const removals = await this.removeMany(scope, manager, [documentId], scope.workspace.id);
    return removals.length > 0;
  }

  /** Removes documents from one workspace, or from all of them (`workspaceId` null). */
  removeMany(
    _scope: Scope,
    manager: EntityManager,
    documentIds: string[],
    workspaceId: number | null,
  ): Promise<Removal[]> {
    return this.removeRows(
      manager,
      `w.document_id = ANY($1::uuid[]) AND ($2::int IS NULL OR w.workspace_id = $2)`,
      [documentIds, workspaceId],
    );
  }

  /** Removes all documents recorded for a library change, in one statement. */
  removeNoted(
    _scope: Scope,
    manager: EntityManager,
    changeId: string,
    workspaceId: number | null,
  ): Promise<Removal[]> {
    return this.removeRows(
      manager,
      `w.document_id IN (
          SELECT i.document_id FROM ingest.library_change_item i WHERE i.change_id = $1
        )
        AND ($2::int IS NULL OR w.workspace_id = $2)`,
      [changeId, workspaceId],
    );
  }

  /** Removes every document, including additions in flight; null if the workspace is empty. */
  async removeAll(scope: WorkspaceScope, manager: EntityManager): Promise<Removal | null> {
    await manager.query(`SET LOCAL statement_timeout = '300s'`);
    await manager.query(`SELECT pg_advisory_xact_lock(7301, $1)`, [scope.workspace.id]);
    const [removal] = await this.removeRows(manager, `w.workspace_id = $1`, [scope.workspace.id]);
    return removal ?? null;
  }

  /** Removes every document of a deleted workspace; the caller sweeps its index rows. */
  async removeWorkspace(_scope: Scope, manager: EntityManager, workspaceId: number): Promise<void> {
    await manager.query(`SELECT pg_advisory_xact_lock(7301, $1)`, [workspaceId]);
    await manager.query(
      `INSERT INTO ingest.deleted_workspace (workspace_id) VALUES ($1) ON CONFLICT DO NOTHING`,
      [workspaceId],
    );
    await this.deleteLinks(manager, `w.workspace_id = $1`, [workspaceId]);
  }

  private async removeRows(
    manager: EntityManager,
    condition: string,
    parameters: unknown[],
  ): Promise<Removal[]> {
    const removals = await this.deleteLinks(manager, condition, parameters);
    await this.outbox.add(
      manager,
      ...removals.flatMap(({ workspaceId, lastLink }) => [
        jobMessage(sweepIndex, {
          rowId: workspaceId,
          version: lastLink,
          payload: { workspaceId, version: lastLink },
        }),
        eventMessage(workspaceDocumentsChanged, { workspaceId }),
      ]),
    );
    return removals;
  }

  /** Deletes the rows and leaves a `removed_link` for dependent cleanup. */
  private deleteLinks(
    manager: EntityManager,
    condition: string,
    parameters: unknown[],
  ): Promise<(Removal & { lastLink: number })[]> {
    // Locks rows in id order so that two removals of the same documents can't deadlock.
    return manager.query(
      `WITH held AS MATERIALIZED (
        SELECT w.id FROM ingest.workspace_document w WHERE ${condition} ORDER BY w.id FOR UPDATE
      ),
      gone AS (
        DELETE FROM ingest.workspace_document w USING held
        WHERE w.id = held.id
        RETURNING w.id, w.workspace_id, w.document_id, w.version, w.index_version
      ),
      noted AS (
        INSERT INTO ingest.removed_link (
          workspace_id, workspace_document_id, version, index_version
        )
        SELECT workspace_id, id, version, index_version
        FROM gone
        RETURNING id, workspace_id
      )
      SELECT n.workspace_id AS "workspaceId", max(n.id) AS "lastLink", count(*)::int AS removed,
        ARRAY(
          SELECT g.document_id FROM gone g
          WHERE g.workspace_id = n.workspace_id
          LIMIT ${reportedDocuments}
        ) AS "documentIds"
      FROM noted n
      GROUP BY n.workspace_id`,
      parameters,
    );
  }
}
