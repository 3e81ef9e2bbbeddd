import { CarrelError, servicePrincipal, type Scope, type WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, In, type EntityManager } from "typeorm";
import { entityColumns, mapEntity } from "../database/entity-rows.ts";
import { buildChunkId, buildPublicationId } from "../indexing/chunk-id.ts";
import { roleLock } from "../indexing/search-index.repository.ts";
import type { PreparedChunk } from "../work-pool/work.ts";
import { WorkspaceDocument } from "./workspace-document.entity.ts";

/** Scope of the product's own work on one workspace. */
export const serviceScope = (workspaceId: number): WorkspaceScope => ({
  principal: servicePrincipal,
  workspace: { id: workspaceId, slug: "" },
});

/**
 * Documents that went out of a workspace; `garbage` is the highest id of their traces, by which the
 * sweep is asked for.
 */
export interface Removal {
  workspaceId: number;
  garbage: number;
  removed: number;
  /** The first of them, as many as are told one by one. */ documentIds: string[];
}

/**
 * Removals that are told one by one; beyond that a panel reads its list again, which the event
 * makes it do anyway.
 */
const mostTold = 500;

export type WorkState = "indexing" | "embedding";

@Injectable()
export class WorkspaceDocumentRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Holds off a deletion of the workspace until the transaction ends. Throws WORKSPACE_NOT_FOUND
   * when it is gone.
   */
  async holdWorkspace(scope: WorkspaceScope, manager: EntityManager): Promise<void> {
    const rows = await manager.query<{ gone: boolean }[]>(
      `SELECT pg_advisory_xact_lock_shared(7301, $1), EXISTS (SELECT 1 FROM "ingest"."deleted_workspace" WHERE "workspace_id" = $1) AS "gone"`,
      [scope.workspace.id],
    );
    if (rows[0]?.gone) throw new CarrelError("WORKSPACE_NOT_FOUND", "Workspace does not exist.");
  }

  /**
   * Adds a document; one that is there already and failed is tried again, else nothing changes.
   * Gives the row when work is due.
   */
  async add(
    scope: WorkspaceScope,
    manager: EntityManager,
    documentId: string,
  ): Promise<{ id: number; version: number } | null> {
    const rows = await manager.query<{ id: number; version: number }[]>(
      `INSERT INTO "ingest"."workspace_document" AS w ("workspace_id", "document_id", "user_id", "state") VALUES ($1, $2, $3, 'queued')
      ON CONFLICT ("workspace_id", "document_id") DO UPDATE SET "state" = 'queued', "reason" = NULL, "version" = w."version" + 1, "lease_until" = NULL, "last_updated_at" = now() WHERE w."state" = 'failed'
      RETURNING "id", "version"`,
      [scope.workspace.id, documentId, scope.principal.userId],
    );
    return rows[0] ?? null;
  }

  /**
   * Adds many; those with work due are handed to `onDue`. Gives the ids of documents that are in
   * the workspace now.
   */
  async addAll(
    scope: WorkspaceScope,
    manager: EntityManager,
    documentIds: string[],
    onDue: (rows: { id: number; version: number }[]) => Promise<void>,
  ): Promise<string[]> {
    if (documentIds.length === 0) return [];
    // A document that is being deleted at this moment is waited for, and then not there.
    const there = await manager.query<{ id: string; state: string }[]>(
      `SELECT "id", "state" FROM "ingest"."document" WHERE "id" = ANY($1::uuid[]) ORDER BY "id" FOR KEY SHARE`,
      [documentIds],
    );
    const rows = await manager.query<{ id: number; version: number; document_id: string }[]>(
      `INSERT INTO "ingest"."workspace_document" AS w ("workspace_id", "document_id", "user_id", "state") SELECT $1::int, "id", $3::int, 'queued' FROM unnest($2::uuid[]) AS "id"
      ON CONFLICT ("workspace_id", "document_id") DO UPDATE SET "state" = 'queued', "reason" = NULL, "version" = w."version" + 1, "lease_until" = NULL, "last_updated_at" = now() WHERE w."state" = 'failed'
      RETURNING "id", "version", "document_id"`,
      [scope.workspace.id, there.map((row) => row.id), scope.principal.userId],
    );
    // What is still being read is indexed when that is done.
    const read = new Set(there.filter((row) => row.state === "parsed").map((row) => row.id));
    const due = rows.filter((row) => read.has(row.document_id));
    if (due.length > 0) await onDue(due);
    return there.map((row) => row.id);
  }

  find(
    scope: WorkspaceScope,
    documentId: string,
    manager = this.dataSource.manager,
  ): Promise<WorkspaceDocument | null> {
    return manager.findOneBy(WorkspaceDocument, { workspaceId: scope.workspace.id, documentId });
  }

  /** For jobs, which know the row's id only. */
  findById(
    _scope: Scope,
    id: number,
    manager = this.dataSource.manager,
  ): Promise<WorkspaceDocument | null> {
    return manager.findOneBy(WorkspaceDocument, { id });
  }

  /** Everywhere a document is. */
  listOfDocument(
    _scope: Scope,
    documentId: string,
    manager = this.dataSource.manager,
  ): Promise<WorkspaceDocument[]> {
    return manager.find(WorkspaceDocument, { where: { documentId }, order: { id: "ASC" } });
  }

  listOfDocuments(scope: WorkspaceScope, documentIds: string[]): Promise<WorkspaceDocument[]> {
    return this.dataSource.manager.find(WorkspaceDocument, {
      where: { workspaceId: scope.workspace.id, documentId: In(documentIds) },
    });
  }

  /**
   * Takes the row for one step, or null when this version is no longer due. `first`: nobody has
   * begun this step of this version before.
   */
  async claim(
    _scope: Scope,
    id: number,
    version: number,
    state: WorkState,
    leaseMs: number,
  ): Promise<{ w: WorkspaceDocument; first: boolean } | null> {
    const from = state === "indexing" ? ["queued", "indexing"] : ["searchable", "embedding"];
    const rows = await this.dataSource.query<
      [(Record<string, unknown> & { before: string; told: string | null })[], number]
    >(
      `WITH "old" AS (SELECT "id", "state", "reason" FROM "ingest"."workspace_document" WHERE "id" = $1 AND "version" = $2 AND "state" = ANY($5) FOR UPDATE)
      UPDATE "ingest"."workspace_document" w SET "state" = $3, "lease_until" = now() + $4 * interval '1 millisecond', "chunks_done" = 0, "run" = w."run" + 1 FROM "old" WHERE w."id" = "old"."id"
      RETURNING "old"."state" AS "before", "old"."reason" AS "told", ${entityColumns(this.dataSource, WorkspaceDocument, "w")}`,
      [id, version, state, leaseMs, from],
    );
    const row = rows[0][0];
    // A reason tells of an attempt under an earlier version, which may have written rows of the
    // same chunks.
    return row
      ? {
          w: mapEntity(this.dataSource, WorkspaceDocument, row),
          first: row.before === from[0] && row.told === null,
        }
      : null;
  }

  /** Whether the run that claimed the row is still the only one at this step of it. */
  async holds(
    _scope: Scope,
    { id, version, run }: Pick<WorkspaceDocument, "id" | "version" | "run">,
  ): Promise<boolean> {
    return (
      (
        await this.dataSource.query<unknown[]>(
          `SELECT 1 FROM "ingest"."workspace_document" WHERE "id" = $1 AND "version" = $2 AND "run" = $3`,
          [id, version, run],
        )
      ).length > 0
    );
  }

  /**
   * Renews the lease and tells how far the step is; false when the row is gone or its version moved
   * on.
   */
  async noteProgress(
    _scope: Scope,
    id: number,
    version: number,
    done: number,
    total: number,
    leaseMs: number,
  ): Promise<boolean> {
    const rows = await this.dataSource.query<[unknown[], number]>(
      `UPDATE "ingest"."workspace_document" SET "chunks_done" = $3, "chunk_count" = $4, "lease_until" = now() + $5 * interval '1 millisecond' WHERE "id" = $1 AND "version" = $2 RETURNING 1`,
      [id, version, done, total, leaseMs],
    );
    return rows[0].length === 1;
  }

  /**
   * First publication: from the commit on, exactly these chunks are live. False when the version is
   * no longer due, or words are looked for elsewhere than in `textPlace` by now.
   */
  async publishSearchable(
    scope: WorkspaceScope,
    manager: EntityManager,
    id: number,
    version: number,
    chunks: PreparedChunk[],
    textPlace: string,
  ): Promise<boolean> {
    // No index takes another's place until this transaction ends.
    await manager.query(`SELECT pg_advisory_xact_lock_shared($1)`, [roleLock]);
    const rows = await manager.query<[{ old: number | null }[], number]>(
      `WITH "old" AS (SELECT "id", "index_version" FROM "ingest"."workspace_document" WHERE "id" = $1 AND "workspace_id" = $4 FOR UPDATE)
      UPDATE "ingest"."workspace_document" w SET "state" = 'searchable', "reason" = NULL, "index_version" = $2, "chunk_count" = $3, "chunks_done" = $3, "searchable_at" = now(),
        "embedded_at" = NULL, "embedded_model" = NULL, "lease_until" = NULL, "retry_at" = NULL, "last_updated_at" = now()
      FROM "old" WHERE w."id" = "old"."id" AND w."version" = $2 AND w."state" IN ('queued', 'indexing')
        AND EXISTS (SELECT 1 FROM "ingest"."search_index" WHERE "role" = 'active' AND "text_place" = $5) RETURNING "old"."index_version" AS "old"`,
      [id, version, chunks.length, scope.workspace.id, textPlace],
    );
    const published = rows[0][0];
    if (!published) return false;
    if (published.old !== null) {
      await manager.query(`DELETE FROM "ingest"."chunk" WHERE "workspace_document_id" = $1`, [id]);
      if (published.old !== version)
        await this.addGarbage(scope, manager, buildPublicationId(id, published.old));
    }
    for (let i = 0; i < chunks.length; i += 5000) {
      const some = chunks.slice(i, i + 5000);
      await manager.query(
        `INSERT INTO "ingest"."chunk" ("workspace_document_id", "workspace_id", "version", "id", "ordinal", "start", "end", "page", "heading_path", "content_hash")
        SELECT $1, $2, $3, * FROM unnest($4::uuid[], $5::int[], $6::int[], $7::int[], $8::int[], $9::jsonb[], $10::bytea[])`,
        [
          id,
          scope.workspace.id,
          version,
          some.map((_, n) => buildChunkId(id, version, i + n)),
          some.map((_, n) => i + n),
          some.map((c) => c.start),
          some.map((c) => c.end),
          some.map((c) => c.page),
          some.map((c) => JSON.stringify(c.headingPath)),
          some.map((c) => c.contentHash),
        ],
      );
    }
    return true;
  }

  /**
   * Second publication: all vectors of the live chunks are in the table `model`, and its index
   * answers.
   */
  async publishEmbedded(
    _scope: Scope,
    manager: EntityManager,
    id: number,
    version: number,
    indexVersion: number,
    model: string,
  ): Promise<boolean> {
    const rows = await manager.query<[unknown[], number]>(
      `UPDATE "ingest"."workspace_document" SET "state" = 'embedded', "reason" = NULL, "embedded_model" = $4, "embedded_at" = now(), "chunks_done" = "chunk_count", "lease_until" = NULL, "retry_at" = NULL, "last_updated_at" = now()
      WHERE "id" = $1 AND "version" = $2 AND "index_version" = $3 AND "state" IN ('searchable', 'embedding')
        AND EXISTS (SELECT 1 FROM "ingest"."search_index" WHERE "role" = 'active' AND "table_name" = $4) RETURNING 1`,
      [id, version, indexVersion, model],
    );
    return rows[0].length === 1;
  }

  /** Back to searchable; embedding is tried again after `retryMs` under a new version. */
  async postponeEmbedding(
    _scope: Scope,
    id: number,
    version: number,
    reason: string,
    retryMs: number,
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE "ingest"."workspace_document" SET "state" = 'searchable', "reason" = $3, "version" = "version" + 1, "lease_until" = NULL, "retry_at" = now() + $4 * interval '1 millisecond'
      WHERE "id" = $1 AND "version" = $2 AND "state" IN ('searchable', 'embedding')`,
      [id, version, reason, retryMs],
    );
  }

  async fail(
    _scope: Scope,
    manager: EntityManager,
    id: number,
    version: number,
    reason: string,
  ): Promise<boolean> {
    const rows = await manager.query<[unknown[], number]>(
      `UPDATE "ingest"."workspace_document" SET "state" = 'failed', "reason" = $3, "lease_until" = NULL, "last_updated_at" = now() WHERE "id" = $1 AND "version" = $2 AND "state" IN ('queued', 'indexing') RETURNING 1`,
      [id, version, reason],
    );
    return rows[0].length === 1;
  }

  /** All that wait for a document that cannot be parsed fail with it. */
  async failOfDocument(
    _scope: Scope,
    manager: EntityManager,
    documentId: string,
    reason: string,
  ): Promise<void> {
    await manager.query(
      `UPDATE "ingest"."workspace_document" SET "state" = 'failed', "reason" = $2, "lease_until" = NULL, "last_updated_at" = now() WHERE "document_id" = $1 AND "state" IN ('queued', 'indexing')`,
      [documentId, reason],
    );
  }

  /** Takes a failed one up again; its new version, or null when it did not fail. */
  async requeue(
    scope: WorkspaceScope,
    manager: EntityManager,
    documentId: string,
  ): Promise<{ id: number; version: number } | null> {
    const rows = await manager.query<[{ id: number; version: number }[], number]>(
      `UPDATE "ingest"."workspace_document" SET "state" = 'queued', "reason" = NULL, "version" = "version" + 1, "lease_until" = NULL, "last_updated_at" = now()
      WHERE "workspace_id" = $1 AND "document_id" = $2 AND "state" = 'failed' RETURNING "id", "version"`,
      [scope.workspace.id, documentId],
    );
    return rows[0][0] ?? null;
  }

  /**
   * Takes a document out: gone with the commit. Gives the id by which the sweep is asked for; null
   * when it was not there.
   */
  async remove(
    scope: WorkspaceScope,
    manager: EntityManager,
    documentId: string,
  ): Promise<number | null> {
    return (
      (
        await this.takeOut(manager, `w."workspace_id" = $1 AND w."document_id" = $2`, [
          scope.workspace.id,
          documentId,
        ])
      )[0]?.garbage ?? null
    );
  }

  /** Takes many documents out, of one workspace or (null) of all. */
  removeMany(
    _scope: Scope,
    manager: EntityManager,
    documentIds: string[],
    workspaceId: number | null,
  ): Promise<Removal[]> {
    return this.takeOut(
      manager,
      `w."document_id" = ANY($1::uuid[]) AND ($2::int IS NULL OR w."workspace_id" = $2)`,
      [documentIds, workspaceId],
    );
  }

  /**
   * All that a change of the library wrote down, out of one workspace or (null) of all, in one
   * statement.
   */
  removeNoted(
    _scope: Scope,
    manager: EntityManager,
    changeId: string,
    workspaceId: number | null,
  ): Promise<Removal[]> {
    return this.takeOut(
      manager,
      `w."document_id" IN (SELECT i."document_id" FROM "ingest"."library_change_item" i WHERE i."change_id" = $1) AND ($2::int IS NULL OR w."workspace_id" = $2)`,
      [changeId, workspaceId],
    );
  }

  /**
   * Links go at once, whatever hangs on them; what they leave behind is noted for the sweep of each
   * workspace.
   */
  private async takeOut(
    manager: EntityManager,
    condition: string,
    parameters: unknown[],
  ): Promise<Removal[]> {
    // In one order everywhere: two that take the same documents out wait for each other.
    const rows = await manager.query<
      { workspace_id: number; garbage: number; removed: number; document_ids: string[] }[]
    >(
      `WITH "held" AS MATERIALIZED (SELECT w."id" FROM "ingest"."workspace_document" w WHERE ${condition} ORDER BY w."id" FOR UPDATE),
        "gone" AS (DELETE FROM "ingest"."workspace_document" w USING "held" WHERE w."id" = "held"."id" RETURNING w."id", w."workspace_id", w."document_id", w."version", w."index_version"),
        "noted" AS (INSERT INTO "ingest"."removed_link" ("workspace_id", "workspace_document_id", "version", "index_version") SELECT "workspace_id", "id", "version", "index_version" FROM "gone" RETURNING "id", "workspace_id")
      SELECT n."workspace_id", max(n."id") AS "garbage", count(*)::int AS "removed", ARRAY(SELECT g."document_id" FROM "gone" g WHERE g."workspace_id" = n."workspace_id" LIMIT ${mostTold}) AS "document_ids" FROM "noted" n GROUP BY n."workspace_id"`,
      parameters,
    );
    return rows.map((row) => ({
      workspaceId: row.workspace_id,
      garbage: row.garbage,
      removed: row.removed,
      documentIds: row.document_ids,
    }));
  }

  /**
   * Pins or unpins many; those pinned already keep their place, the others come behind in the order
   * of their adding.
   */
  async pinMany(
    scope: WorkspaceScope,
    manager: EntityManager,
    documentIds: string[],
    pinned: boolean,
  ): Promise<void> {
    await manager.query(
      `UPDATE "ingest"."workspace_document" SET "pinned" = $3, "pinned_at" = CASE WHEN $3 THEN coalesce("pinned_at", now()) END, "last_updated_at" = now()
      WHERE "workspace_id" = $1 AND "document_id" = ANY($2::uuid[]) AND "pinned" <> $3`,
      [scope.workspace.id, documentIds, pinned],
    );
  }

  /**
   * A new version of what can be found, to be split and indexed again; what is live goes on
   * answering until that is published.
   */
  async requeueMany(
    scope: WorkspaceScope,
    manager: EntityManager,
    documentIds: string[],
  ): Promise<{ id: number; version: number }[]> {
    return (
      await manager.query<[{ id: number; version: number }[], number]>(
        `UPDATE "ingest"."workspace_document" SET "state" = 'queued', "reason" = NULL, "version" = "version" + 1, "lease_until" = NULL, "last_updated_at" = now()
      WHERE "workspace_id" = $1 AND "document_id" = ANY($2::uuid[]) AND "index_version" IS NOT NULL RETURNING "id", "version"`,
        [scope.workspace.id, documentIds],
      )
    )[0];
  }

  /** Everywhere these documents failed, they wait again. */
  async requeueFailed(_scope: Scope, manager: EntityManager, documentIds: string[]): Promise<void> {
    await manager.query(
      `UPDATE "ingest"."workspace_document" SET "state" = 'queued', "reason" = NULL, "version" = "version" + 1, "lease_until" = NULL, "last_updated_at" = now() WHERE "document_id" = ANY($1::uuid[]) AND "state" = 'failed'`,
      [documentIds],
    );
  }

  /**
   * Pins or unpins; one that is pinned keeps its place. False when the document is not in the
   * workspace.
   */
  async pin(
    scope: WorkspaceScope,
    manager: EntityManager,
    documentId: string,
    pinned: boolean,
  ): Promise<boolean> {
    const rows = await manager.query<[unknown[], number]>(
      `UPDATE "ingest"."workspace_document" SET "pinned" = $3, "pinned_at" = CASE WHEN $3 THEN coalesce("pinned_at", now()) END, "last_updated_at" = now()
      WHERE "workspace_id" = $1 AND "document_id" = $2 RETURNING 1`,
      [scope.workspace.id, documentId, pinned],
    );
    return rows[0].length === 1;
  }

  /** Watches or no longer, in every workspace that holds the document. */
  async watch(
    _scope: Scope,
    manager: EntityManager,
    documentId: string,
    watched: boolean,
  ): Promise<void> {
    await manager.query(
      `UPDATE "ingest"."workspace_document" SET "watched" = $2, "last_updated_at" = now() WHERE "document_id" = $1 AND "watched" <> $2`,
      [documentId, watched],
    );
  }

  /**
   * Takes every document out at once; additions under way come first and go too. null: there was
   * none.
   */
  async removeAll(scope: WorkspaceScope, manager: EntityManager): Promise<Removal | null> {
    await manager.query(`SET LOCAL statement_timeout = '300s'`);
    await manager.query(`SELECT pg_advisory_xact_lock(7301, $1)`, [scope.workspace.id]);
    return (await this.takeOut(manager, `w."workspace_id" = $1`, [scope.workspace.id]))[0] ?? null;
  }

  /** Ids of workspaces with documents or with files of threads, above `after`, in order. */
  async listWorkspaceIds(_scope: Scope, after: number, limit: number): Promise<number[]> {
    return (
      await this.dataSource.query<{ id: number }[]>(
        `SELECT "workspace_id" AS "id" FROM "ingest"."workspace_document" WHERE "workspace_id" > $1
      UNION SELECT "workspace_id" FROM "ingest"."parsed_file" WHERE "workspace_id" > $1 ORDER BY "id" LIMIT $2`,
        [after, limit],
      )
    ).map((row) => row.id);
  }

  /** Everything of a workspace that was deleted. */
  async removeWorkspace(_scope: Scope, manager: EntityManager, workspaceId: number): Promise<void> {
    await manager.query(`SELECT pg_advisory_xact_lock(7301, $1)`, [workspaceId]);
    await manager.query(
      `INSERT INTO "ingest"."deleted_workspace" ("workspace_id") VALUES ($1) ON CONFLICT DO NOTHING`,
      [workspaceId],
    );
    await this.takeOut(manager, `w."workspace_id" = $1`, [workspaceId]);
    await manager.query(
      `INSERT INTO "ingest"."index_garbage" ("workspace_id", "publication") VALUES ($1, NULL)`,
      [workspaceId],
    );
  }

  /**
   * Notes the index rows of a run that was not published, unless another run of the same version
   * published them or may
   * still do so: a job whose replica was silent for too long is run a second time, and both write
   * the same rows.
   */
  async abandon(
    scope: WorkspaceScope,
    manager: EntityManager,
    id: number,
    version: number,
  ): Promise<void> {
    const [row] = await manager.query<{ version: number; index_version: number | null }[]>(
      `SELECT "version", "index_version" FROM "ingest"."workspace_document" WHERE "id" = $1 FOR UPDATE`,
      [id],
    );
    if (row?.version !== version && row?.index_version !== version)
      await this.addGarbage(scope, manager, buildPublicationId(id, version));
  }

  /**
   * Turns removed links of a workspace into garbage of the index, and deletes their chunks; how
   * many. Another process may do others meanwhile.
   */
  async sweepRemoved(
    _scope: Scope,
    manager: EntityManager,
    workspaceId: number,
    limit: number,
  ): Promise<number> {
    const [rows] = await manager.query<
      [{ workspace_document_id: number; version: number; index_version: number | null }[], number]
    >(
      `WITH "some" AS (SELECT "id" FROM "ingest"."removed_link" WHERE "workspace_id" = $1 ORDER BY "id" LIMIT $2 FOR UPDATE SKIP LOCKED)
      DELETE FROM "ingest"."removed_link" r USING "some" WHERE r."id" = "some"."id" RETURNING r."workspace_document_id", r."version", r."index_version"`,
      [workspaceId, limit],
    );
    if (rows.length === 0) return 0;
    await manager.query(
      `DELETE FROM "ingest"."chunk" WHERE "workspace_document_id" = ANY($1::int[])`,
      [rows.map((row) => row.workspace_document_id)],
    );
    // The version under way too: a job may have written of it.
    const publications = rows.flatMap((row) =>
      [...new Set([row.version, row.index_version ?? row.version])].map((version) =>
        buildPublicationId(row.workspace_document_id, version),
      ),
    );
    await manager.query(
      `INSERT INTO "ingest"."index_garbage" ("workspace_id", "publication") SELECT $1::int, unnest($2::uuid[])`,
      [workspaceId, publications],
    );
    return rows.length;
  }

  /** Notes index rows that nobody claims; null as publication stands for the whole workspace. */
  async addGarbage(
    scope: WorkspaceScope,
    manager: EntityManager,
    publication: string,
  ): Promise<number> {
    const rows = await manager.query<{ id: number }[]>(
      `INSERT INTO "ingest"."index_garbage" ("workspace_id", "publication") VALUES ($1, $2) RETURNING "id"`,
      [scope.workspace.id, publication],
    );
    return rows[0]!.id;
  }
}
