import { CarrelError, type Scope, type WorkspaceScope, type KnownFault } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { entityColumns, mapEntity } from "../database/entity-rows.ts";
import { mayRead, readerOf } from "./reader.ts";
import { WorkspaceDocument } from "./workspace-document.entity.ts";

@Injectable()
export class WorkspaceDocumentRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Blocks deletion of the workspace until the transaction ends. Throws WORKSPACE_NOT_FOUND if it
   * is gone.
   */
  async holdWorkspace(scope: WorkspaceScope, manager: EntityManager): Promise<void> {
    const { id } = scope.workspace;
    await manager.query(`SELECT pg_advisory_xact_lock_shared(7301, $1)`, [id]);
    // A statement that waited for the deletion wouldn't see it.
    const gone = await manager.query<unknown[]>(
      `SELECT 1 FROM ingest.deleted_workspace WHERE workspace_id = $1`,
      [id],
    );
    if (gone.length > 0) throw new CarrelError("workspace.not-found");
  }

  /**
   * Adds a document, or retries it if it was added before and failed; otherwise changes nothing.
   * Returns the row if work is due.
   */
  async add(
    scope: WorkspaceScope,
    manager: EntityManager,
    documentId: string,
  ): Promise<{ id: number; version: number } | null> {
    const rows = await manager.query<{ id: number; version: number }[]>(
      `INSERT INTO ingest.workspace_document AS w (workspace_id, document_id, user_id, state)
      VALUES ($1, $2, $3, 'queued')
      ON CONFLICT (workspace_id, document_id) DO UPDATE SET state = 'queued', reason = NULL,
        version = w.version + 1, lease_until = NULL, last_updated_at = now()
      WHERE w.state = 'failed'
      RETURNING id, version`,
      [scope.workspace.id, documentId, scope.principal.userId],
    );
    return rows[0] ?? null;
  }

  /**
   * Adds many documents and passes those with work due to `onDue`. Returns the ids of the documents
   * now in the workspace.
   */
  async addAll(
    scope: WorkspaceScope,
    manager: EntityManager,
    documentIds: string[],
    onDue: (rows: { id: number; version: number }[]) => Promise<void>,
  ): Promise<string[]> {
    if (documentIds.length === 0) return [];
    // Waits for concurrent deletions, which then leave their documents out.
    const there = await manager.query<{ id: string; state: string }[]>(
      `SELECT id, state FROM ingest.document WHERE id = ANY($1::uuid[]) ORDER BY id FOR KEY SHARE`,
      [documentIds],
    );
    const rows = await manager.query<{ id: number; version: number; document_id: string }[]>(
      `INSERT INTO ingest.workspace_document AS w (workspace_id, document_id, user_id, state)
      SELECT $1::int, id, $3::int, 'queued'
      FROM unnest($2::uuid[]) AS id
      ON CONFLICT (workspace_id, document_id) DO UPDATE SET state = 'queued', reason = NULL,
        version = w.version + 1, lease_until = NULL, last_updated_at = now()
      WHERE w.state = 'failed'
      RETURNING id, version, document_id`,
      [scope.workspace.id, there.map((row) => row.id), scope.principal.userId],
    );
    // Documents still being parsed are indexed once that is done.
    const read = new Set(there.filter((row) => row.state === "parsed").map((row) => row.id));
    const due = rows.filter((row) => read.has(row.document_id));
    if (due.length > 0) await onDue(due);
    return there.map((row) => row.id);
  }

  /** Null if there is none that the caller may see. */
  find(
    scope: WorkspaceScope,
    documentId: string,
    manager = this.dataSource.manager,
  ): Promise<WorkspaceDocument | null> {
    return this.query(scope, manager)
      .andWhere("w.documentId = :documentId", { documentId })
      .getOne();
  }

  /** For jobs, which only know the row's id. */
  findById(
    _scope: Scope,
    id: number,
    manager = this.dataSource.manager,
  ): Promise<WorkspaceDocument | null> {
    return manager.findOneBy(WorkspaceDocument, { id });
  }

  /** All workspace documents of a document. */
  listOfDocument(
    _scope: Scope,
    documentId: string,
    manager = this.dataSource.manager,
  ): Promise<WorkspaceDocument[]> {
    return manager.find(WorkspaceDocument, { where: { documentId }, order: { id: "ASC" } });
  }

  /** Lists a document's rows that wait for its text. */
  async listQueued(_scope: Scope, documentId: string): Promise<WorkspaceDocument[]> {
    const rows = await preparedQuery<Record<string, unknown>>(
      this.dataSource,
      "list queued",
      `SELECT ${entityColumns(this.dataSource, WorkspaceDocument, "w")}
      FROM ingest.workspace_document w
      WHERE w.document_id = $1 AND w.state = 'queued'
      ORDER BY w.id`,
      [documentId],
    );
    return rows.map((row) => mapEntity(this.dataSource, WorkspaceDocument, row));
  }

  listOfDocuments(scope: WorkspaceScope, documentIds: string[]): Promise<WorkspaceDocument[]> {
    return this.query(scope)
      .andWhere("w.documentId = ANY(:documentIds)", { documentIds })
      .getMany();
  }

  private query(scope: WorkspaceScope, manager = this.dataSource.manager) {
    return manager
      .createQueryBuilder(WorkspaceDocument, "w")
      .where("w.workspaceId = :workspaceId", { workspaceId: scope.workspace.id })
      .andWhere(mayRead("w.document_id", ":reader::int"), { reader: readerOf(scope) });
  }

  /** Fails all pending workspace documents of a document that cannot be parsed. */
  async failOfDocument(
    _scope: Scope,
    manager: EntityManager,
    documentId: string,
    reason: KnownFault,
  ): Promise<void> {
    await manager.query(
      `UPDATE ingest.workspace_document SET state = 'failed', reason = $2, lease_until = NULL,
        last_updated_at = now()
      WHERE document_id = $1 AND state IN ('queued', 'indexing')`,
      [documentId, JSON.stringify(reason)],
    );
  }

  /** Requeues a document whose text is read again, in all its workspaces. */
  async requeueEverywhere(
    _scope: Scope,
    manager: EntityManager,
    documentId: string,
  ): Promise<WorkspaceDocument[]> {
    await manager.query(
      `UPDATE ingest.workspace_document SET state = 'queued', reason = NULL, version = version + 1,
        lease_until = NULL, retry_at = NULL, last_updated_at = now()
      WHERE document_id = $1`,
      [documentId],
    );
    return manager.find(WorkspaceDocument, { where: { documentId }, order: { id: "ASC" } });
  }

  /** Requeues a failed document. Returns its new version, or null if it didn't fail. */
  async requeue(
    scope: WorkspaceScope,
    manager: EntityManager,
    documentId: string,
  ): Promise<{ id: number; version: number } | null> {
    const rows = await manager.query<[{ id: number; version: number }[], number]>(
      `UPDATE ingest.workspace_document SET state = 'queued', reason = NULL, version = version + 1,
        lease_until = NULL, last_updated_at = now()
      WHERE workspace_id = $1 AND document_id = $2 AND state = 'failed'
      RETURNING id, version`,
      [scope.workspace.id, documentId],
    );
    return rows[0][0] ?? null;
  }

  /**
   * Requeues searchable documents to be split and indexed again under a new version; the live
   * version stays searchable until the new one is published.
   */
  async requeueMany(
    scope: WorkspaceScope,
    manager: EntityManager,
    documentIds: string[],
  ): Promise<{ id: number; version: number }[]> {
    return (
      await manager.query<[{ id: number; version: number }[], number]>(
        `UPDATE ingest.workspace_document SET state = 'queued', reason = NULL,
          version = version + 1, lease_until = NULL, last_updated_at = now()
        WHERE workspace_id = $1 AND document_id = ANY($2::uuid[]) AND index_version IS NOT NULL
        RETURNING id, version`,
        [scope.workspace.id, documentIds],
      )
    )[0];
  }

  /** Requeues these documents in every workspace where they failed. */
  async requeueFailed(_scope: Scope, manager: EntityManager, documentIds: string[]): Promise<void> {
    await manager.query(
      `UPDATE ingest.workspace_document SET state = 'queued', reason = NULL, version = version + 1,
        lease_until = NULL, last_updated_at = now()
      WHERE document_id = ANY($1::uuid[]) AND state = 'failed'`,
      [documentIds],
    );
  }

  /**
   * Pins or unpins a document; a pinned one keeps its place. False if the document is not in the
   * workspace.
   */
  async pin(
    scope: WorkspaceScope,
    manager: EntityManager,
    documentId: string,
    pinned: boolean,
  ): Promise<boolean> {
    const rows = await manager.query<[unknown[], number]>(
      `UPDATE ingest.workspace_document SET pinned = $3,
        pinned_at = CASE WHEN $3 THEN coalesce(pinned_at, now()) END, last_updated_at = now()
      WHERE workspace_id = $1 AND document_id = $2
      RETURNING 1`,
      [scope.workspace.id, documentId, pinned],
    );
    return rows[0].length === 1;
  }

  /**
   * Pins or unpins many documents; those already pinned keep their place, and the others follow in
   * the order they were added.
   */
  async pinMany(
    scope: WorkspaceScope,
    manager: EntityManager,
    documentIds: string[],
    pinned: boolean,
  ): Promise<void> {
    await manager.query(
      `UPDATE ingest.workspace_document SET pinned = $3,
        pinned_at = CASE WHEN $3 THEN coalesce(pinned_at, now()) END, last_updated_at = now()
      WHERE workspace_id = $1 AND document_id = ANY($2::uuid[]) AND pinned <> $3`,
      [scope.workspace.id, documentIds, pinned],
    );
  }

  /** Ids of workspaces with documents or thread files, above `after`, in order. */
  async listWorkspaceIds(_scope: Scope, after: number, limit: number): Promise<number[]> {
    return (
      await this.dataSource.query<{ id: number }[]>(
        `SELECT workspace_id AS id FROM ingest.workspace_document WHERE workspace_id > $1
      UNION SELECT workspace_id FROM ingest.parsed_file WHERE workspace_id > $1 ORDER BY id LIMIT $2`,
        [after, limit],
      )
    ).map((row) => row.id);
  }

  /** Whether any document is embedded or being embedded. */
  async hasEmbeddings(_scope: Scope): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      `SELECT 1 FROM ingest.workspace_document WHERE embedded_at IS NOT NULL OR state = 'embedding' LIMIT 1`,
    );
    return rows.length > 0;
  }

  /** How many documents of the workspace are searchable, and how many have vectors of the table. */
  async countSearchable(
    scope: WorkspaceScope,
    table: string | null,
  ): Promise<{ documents: number; embedded: number }> {
    const [counts] = await this.dataSource.query<{ documents: number; embedded: number }[]>(
      `SELECT count(*)::int AS documents,
        (count(*) FILTER (WHERE embedded_model = $2))::int AS embedded
      FROM ingest.workspace_document
      WHERE workspace_id = $1
        AND index_version IS NOT NULL
        AND ${mayRead("document_id", "$3::int")}`,
      [scope.workspace.id, table, readerOf(scope)],
    );
    return counts!;
  }

  /**
   * Passages of one workspace, or of all that the caller may use: those with vectors, or all that
   * are searchable.
   */
  async countPassages(
    scope: Scope,
    workspaceId: number | null,
    withoutVectors: boolean,
  ): Promise<number> {
    const [row] = await this.dataSource.query<{ n: string }[]>(
      `SELECT coalesce(sum(chunk_count), 0) AS n FROM ingest.workspace_document
      WHERE index_version IS NOT NULL
        AND (embedded_at IS NOT NULL OR $2)
        AND ($1::int IS NULL OR workspace_id = $1)
        AND ($3::int[] IS NULL OR workspace_id = ANY($3))
        AND ${mayRead("document_id", "$4::int")}`,
      [workspaceId, withoutVectors, scope.principal.workspaceIds ?? null, readerOf(scope)],
    );
    return Number(row!.n);
  }
}
