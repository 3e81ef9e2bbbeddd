import { servicePrincipal, workspaceDocumentsChanged, type Scope } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Outbox, eventMessage, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { buildPublicationId } from "../chunking/chunk-id.ts";
import { createChunks, deleteChunks } from "../chunking/published-chunks.ts";
import { entityColumns, mapEntity } from "../database/entity-rows.ts";
import { embedJob, indexJob } from "../document/document-jobs.ts";
import { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { serviceScope } from "../document/workspace-scope.ts";
import { Batcher } from "../work-pool/batcher.ts";
import type { PreparedChunk } from "../work-pool/work.ts";
import { Embedder } from "./embedder.ts";
import { IndexGarbage } from "./index-garbage.ts";
import { IndexingRepository, leaseMs } from "./indexing.repository.ts";
import { roleLock } from "./search-index.repository.ts";
import { DocumentLanguages } from "./vector-languages.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** Documents whose vectors are published in one transaction. */
const maxPerTransaction = 64;

/** A version of a workspace document whose terms are written, and where. */
interface Publication {
  w: Pick<WorkspaceDocument, "id" | "workspaceId" | "version">;
  chunks: PreparedChunk[];
  textPlace: string;
  /** `embedding`: the caller holds the row and embeds it after the commit. */
  state: "searchable" | "embedding";
}

/** A version whose vectors are all in `table`. */
interface EmbeddedPublication {
  w: Pick<WorkspaceDocument, "id" | "workspaceId" | "version">;
  indexVersion: number;
  table: string;
}

/** Publishes versions of workspace documents: first as searchable, then as embedded. */
@Injectable()
export class DocumentPublisher {
  private readonly embedded = new Batcher<EmbeddedPublication, boolean>(
    (group) => this.publishVectors(group),
    { maxItems: maxPerTransaction },
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly indexing: IndexingRepository,
    private readonly garbage: IndexGarbage,
    private readonly embedder: Embedder,
    private readonly languages: DocumentLanguages,
  ) {}

  /** Checks, outside any transaction, whether published documents can be embedded right away. */
  async prepare(): Promise<void> {
    await this.embedder.refreshReadiness();
  }

  /**
   * Publishes chunks whose terms are written and returns the rows of those that were still due; the
   * others' rows become garbage. If the embedder is ready, those that the caller doesn't embed are
   * queued for it.
   */
  async publishSearchable(
    manager: EntityManager,
    publications: (Omit<Publication, "state"> & { isEmbeddedHere: boolean })[],
  ): Promise<WorkspaceDocument[]> {
    if (publications.length === 0) return [];
    const { isReady } = this.embedder;
    const rows = await this.markSearchable(
      scope,
      manager,
      publications.map(({ isEmbeddedHere, ...publication }) => ({
        ...publication,
        state: isReady && isEmbeddedHere ? "embedding" : "searchable",
      })),
    );
    const published = new Set(rows.map((row) => row.id));
    for (const { w } of publications) if (!published.has(w.id)) await this.abandon(manager, w);
    const queued = isReady ? rows.filter((row) => row.state === "searchable") : [];
    await this.outbox.add(
      manager,
      ...changes(rows),
      ...queued.map((row) => embedJob(row, row.workspaceId)),
    );
    return rows;
  }

  /** Hides passages of documents whose text changed, in all workspaces except `kept`. */
  async withdraw(
    manager: EntityManager,
    documentIds: readonly string[],
    kept: readonly number[],
  ): Promise<void> {
    if (documentIds.length === 0) return;
    const workspaces = await this.unpublish(scope, manager, documentIds, kept);
    await this.outbox.add(manager, ...changes(workspaces.map((workspaceId) => ({ workspaceId }))));
  }

  /** False if the document was removed or re-indexed, or if another index is now active. */
  publishEmbedded(
    w: EmbeddedPublication["w"],
    indexVersion: number,
    table: string,
  ): Promise<boolean> {
    return this.embedded.run({ w, indexVersion, table });
  }

  /** Marks rows that were written but will not be published as garbage. */
  abandon(
    manager: EntityManager,
    { id, version, workspaceId }: Pick<WorkspaceDocument, "id" | "version" | "workspaceId">,
  ): Promise<void> {
    return this.garbage.abandon(serviceScope(workspaceId), manager, id, version);
  }

  /** Queues indexing of documents that aren't published in the same transaction. */
  async enqueue(
    manager: EntityManager,
    rows: Pick<WorkspaceDocument, "id" | "version" | "workspaceId">[],
  ): Promise<void> {
    await this.outbox.add(manager, ...rows.map((row) => indexJob(row, row.workspaceId)));
  }

  /** Queues embedding of published documents that this process can't embed now. */
  async enqueueEmbedding(
    rows: Pick<WorkspaceDocument, "id" | "version" | "workspaceId">[],
  ): Promise<void> {
    await this.dataSource.transaction((manager) =>
      this.outbox.add(manager, ...rows.map((row) => embedJob(row, row.workspaceId))),
    );
  }

  private async publishVectors(group: EmbeddedPublication[]): Promise<boolean[]> {
    // Search asks whether the vectors of their languages mean anything.
    await this.languages.detect(group.map(({ w }) => w.id));
    return this.dataSource.transaction(async (manager) => {
      const published = await this.markEmbedded(
        scope,
        manager,
        group.map(({ w, indexVersion, table }) => ({
          id: w.id,
          version: w.version,
          indexVersion,
          model: table,
        })),
      );
      const rows = group.map(({ w }) => w);
      await this.outbox.add(manager, ...changes(rows.filter((w) => published.has(w.id))));
      for (const { w, indexVersion } of group) {
        if (published.has(w.id)) continue;
        const workspace = serviceScope(w.workspaceId);
        const current = await this.indexing.find(workspace, w.id, manager);
        if (current?.indexVersion !== indexVersion)
          await this.garbage.add(workspace, manager, buildPublicationId(w.id, indexVersion));
      }
      return rows.map((w) => published.has(w.id));
    });
  }

  /**
   * First publication: from the commit on, exactly these chunks are live. Returns the rows that were
   * published; the others are no longer due, or the active full-text index is no longer in their
   * `textPlace`.
   */
  private async markSearchable(
    scope: Scope,
    manager: EntityManager,
    publications: Publication[],
  ): Promise<WorkspaceDocument[]> {
    // Prevents changes of index roles until this transaction ends.
    await manager.query(`SELECT pg_advisory_xact_lock_shared(${roleLock})`);
    const rows = await preparedQuery<Record<string, unknown> & { id: number; old: number | null }>(
      manager.queryRunner!,
      "publish searchable",
      `WITH due AS (
        SELECT *
        FROM unnest(
          $1::int[], $2::int[], $3::int[], $4::int[], $5::text[], $6::text[]
        ) AS due(id, workspace_id, version, chunks, text_place, state)
      ),
      old AS (
        SELECT w.id, w.index_version
        FROM ingest.workspace_document w
        JOIN due ON due.id = w.id AND due.workspace_id = w.workspace_id
        ORDER BY w.id FOR UPDATE OF w
      )
      UPDATE ingest.workspace_document w SET state = due.state, reason = NULL,
        index_version = w.version, chunk_count = due.chunks, searchable_at = now(),
        embedded_at = NULL, embedded_model = NULL, retry_at = NULL, last_updated_at = now(),
        chunks_done = CASE WHEN due.state = 'embedding' THEN 0 ELSE due.chunks END,
        run = w.run + CASE WHEN due.state = 'embedding' THEN 1 ELSE 0 END,
        lease_until = CASE
          WHEN due.state = 'embedding' THEN now() + $7 * interval '1 millisecond'
        END
      FROM old
      JOIN due ON due.id = old.id
      WHERE w.id = old.id
        AND w.version = due.version
        AND w.state IN ('queued', 'indexing')
        AND EXISTS (
          SELECT 1 FROM ingest.search_index WHERE role = 'active' AND text_place = due.text_place
        )
      RETURNING old.index_version AS old,
        ${entityColumns(this.dataSource, WorkspaceDocument, "w")}`,
      [
        publications.map(({ w }) => w.id),
        publications.map(({ w }) => w.workspaceId),
        publications.map(({ w }) => w.version),
        publications.map(({ chunks }) => chunks.length),
        publications.map(({ textPlace }) => textPlace),
        publications.map(({ state }) => state),
        leaseMs.publishing,
      ],
    );
    const published = new Map(
      rows.map((row) => [row.id, mapEntity(this.dataSource, WorkspaceDocument, row)]),
    );
    for (const { id, old } of rows) {
      if (old === null) continue;
      const { workspaceId, version } = published.get(id)!;
      const workspace = serviceScope(workspaceId);
      await deleteChunks(workspace, manager, id);
      if (old !== version) await this.garbage.add(workspace, manager, buildPublicationId(id, old));
    }
    await createChunks(
      scope,
      manager,
      publications.filter(({ w }) => published.has(w.id)),
    );
    return [...published.values()];
  }

  /**
   * Ends the publication of documents in all workspaces except `kept`: their text has changed, and
   * the passages that were published are places in the old one. Returns the workspaces.
   */
  private async unpublish(
    _scope: Scope,
    manager: EntityManager,
    documentIds: readonly string[],
    kept: readonly number[],
  ): Promise<number[]> {
    const [rows] = await manager.query<
      [{ id: number; workspace_id: number; old: number }[], number]
    >(
      `WITH old AS (
        SELECT id, index_version
        FROM ingest.workspace_document
        WHERE document_id = ANY($1::uuid[]) AND index_version IS NOT NULL AND id <> ALL($2::int[])
        ORDER BY id FOR UPDATE
      )
      UPDATE ingest.workspace_document w SET index_version = NULL, searchable_at = NULL,
        embedded_at = NULL, embedded_model = NULL, chunk_count = 0, chunks_done = 0
      FROM old
      WHERE w.id = old.id
      RETURNING w.id, w.workspace_id, old.index_version AS old`,
      [documentIds, kept],
    );
    for (const { id, workspace_id: workspaceId, old } of rows) {
      const workspace = serviceScope(workspaceId);
      await deleteChunks(workspace, manager, id);
      await this.garbage.add(workspace, manager, buildPublicationId(id, old));
    }
    return rows.map((row) => row.workspace_id);
  }

  /**
   * Second publication: the table `model` of the active index holds all vectors of the live chunks.
   * Returns the ids that were published.
   */
  private async markEmbedded(
    _scope: Scope,
    manager: EntityManager,
    rows: { id: number; version: number; indexVersion: number; model: string }[],
  ): Promise<Set<number>> {
    const published = await preparedQuery<{ id: number }>(
      manager.queryRunner!,
      "publish embedded",
      `WITH due AS (
        SELECT *
        FROM unnest(
          $1::int[], $2::int[], $3::int[], $4::text[]
        ) AS due(id, version, index_version, model)
      ),
      held AS (
        SELECT w.id FROM ingest.workspace_document w
        JOIN due ON due.id = w.id
        ORDER BY w.id FOR UPDATE OF w
      )
      UPDATE ingest.workspace_document w SET state = 'embedded', reason = NULL,
        embedded_model = due.model, embedded_at = now(), chunks_done = w.chunk_count,
        lease_until = NULL, retry_at = NULL, last_updated_at = now()
      FROM due
      JOIN held ON held.id = due.id
      WHERE w.id = due.id
        AND w.version = due.version
        AND w.index_version = due.index_version
        AND w.state IN ('searchable', 'embedding')
        AND EXISTS (
          SELECT 1 FROM ingest.search_index WHERE role = 'active' AND table_name = due.model
        )
      RETURNING w.id`,
      [
        rows.map((row) => row.id),
        rows.map((row) => row.version),
        rows.map((row) => row.indexVersion),
        rows.map((row) => row.model),
      ],
    );
    return new Set(published.map((row) => row.id));
  }
}

/** One event for each workspace. */
const changes = (rows: { workspaceId: number }[]): OutboxMessage[] =>
  [...new Set(rows.map((row) => row.workspaceId))].map((workspaceId) =>
    eventMessage(workspaceDocumentsChanged, { workspaceId }),
  );
