import {
  buildIndex,
  embedDocument,
  indexDocument,
  parseDocument,
  parseThreadFile,
  recogniseDocument,
  servicePrincipal,
  sweepIndex,
} from "@carrel/contracts";
import { jobMessage, Outbox, Reconciler, type OutboxMessage } from "@carrel/messaging";
import { LOGGER } from "@carrel/runtime";
import type { Logger } from "@carrel/observability";
import { BLOB_STORE, sweepTemporary, type BlobStore } from "@carrel/storage";
import { Inject, Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { DataSource } from "typeorm";
import { BlobSweeper } from "./blob/blob-sweeper.ts";
import { DocumentRepository } from "./document/document.repository.ts";
import { EmbeddingCache } from "./embedding/embedding-cache.ts";
import { Embedder } from "./embedding/embedder.ts";
import { IndexFollower } from "./indexing/index-follower.ts";
import { IndexJanitor } from "./indexing/index-janitor.ts";
import { SearchIndexRepository } from "./indexing/search-index.repository.ts";
import { secondSweepMinutes } from "./indexing/index-sweeper.ts";
import { InstanceSettings } from "./setting/instance-settings.ts";

const scope = { principal: servicePrincipal, workspace: null };
const dailyMs = 24 * 3_600_000;
const cacheDays = 60;

/**
 * What PostgreSQL holds due: lost jobs are asked for again, embedding is when the embedder is
 * ready, and what is old goes.
 */
@Injectable()
export class IngestReconciler extends Reconciler implements OnApplicationShutdown {
  private lastDaily = 0;
  private fetching = false;
  private readonly stopping = new AbortController();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly documents: DocumentRepository,
    private readonly embedder: Embedder,
    private readonly follower: IndexFollower,
    private readonly janitor: IndexJanitor,
    private readonly indexes: SearchIndexRepository,
    private readonly sweeper: BlobSweeper,
    private readonly cache: EmbeddingCache,
    settings: InstanceSettings,
  ) {
    super();
    // A new key or another embedder: what waited for it need not wait for the next minute.
    settings.onChange(
      () =>
        void this.followSettings().catch((error: unknown) =>
          this.logger.warn({ err: error }, "changed settings could not be followed"),
        ),
    );
  }

  override async due(): Promise<OutboxMessage[]> {
    await this.follower
      .follow()
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "the settings of the index could not be followed"),
      );
    await this.janitor
      .followLosses()
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "the search index could not be compared"),
      );
    await this.janitor
      .free()
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "indexes that were let go could not be freed"),
      );
    await this.clean().catch((error: unknown) =>
      this.logger.warn({ err: error }, "cleaning up failed"),
    );
    const parsing = (await this.documents.listDue(scope)).map(
      ({ id, version, inLibrary, needsRecognition, workspaceId }) =>
        jobMessage(
          needsRecognition ? recogniseDocument : inLibrary ? parseDocument : parseThreadFile,
          {
            rowId: id,
            version,
            payload: { documentId: id, version, ...(workspaceId === null ? {} : { workspaceId }) },
          },
        ),
    );
    const indexing = await this.dataSource.query<
      { id: number; version: number; workspaceId: number }[]
    >(`SELECT w."id", w."version", w."workspace_id" AS "workspaceId" FROM "ingest"."workspace_document" w JOIN "ingest"."document" d ON d."id" = w."document_id" AND d."state" = 'parsed'
      WHERE (w."state" = 'queued' AND w."last_updated_at" < now() - interval '2 seconds') OR (w."state" = 'indexing' AND w."lease_until" < now()) ORDER BY w."id" LIMIT 5000`);
    const sweeps = await this.dataSource.query<{ workspace_id: number; version: number }[]>(
      `SELECT "workspace_id", max("id")::int AS "version" FROM (SELECT "workspace_id", "id" FROM "ingest"."index_garbage"
        WHERE "swept_at" IS NULL OR "created_at" < now() - $1 * interval '1 minute' UNION ALL SELECT "workspace_id", "id" FROM "ingest"."removed_link") "due" GROUP BY "workspace_id" LIMIT 1000`,
      [secondSweepMinutes],
    );
    return [
      ...parsing,
      ...indexing.map(({ id, version, workspaceId }) =>
        jobMessage(indexDocument, {
          rowId: id,
          version,
          payload: { workspaceDocumentId: id, version, workspaceId },
        }),
      ),
      ...(await this.dueEmbedding()),
      ...(await this.dueBuild()),
      ...sweeps.map(({ workspace_id: workspaceId, version }) =>
        jobMessage(sweepIndex, { rowId: workspaceId, version, payload: { workspaceId, version } }),
      ),
    ];
  }

  onApplicationShutdown(): void {
    this.stopping.abort();
  }

  /**
   * Searchable documents without vectors of the configured embedder; when that is the native one
   * and it is missing, its download starts.
   */
  private async dueEmbedding(): Promise<OutboxMessage[]> {
    const rows = await this.dataSource.query<
      { id: number; version: number; workspaceId: number }[]
    >(`SELECT "id", "version", "workspace_id" AS "workspaceId" FROM "ingest"."workspace_document"
      WHERE ("state" = 'searchable' AND ("retry_at" IS NULL OR "retry_at" < now())) OR ("state" = 'embedding' AND "lease_until" < now()) ORDER BY "id" LIMIT 5000`);
    if (rows.length === 0) return [];
    if (!(await this.embedder.findReady())) {
      this.fetchNative();
      return [];
    }
    return rows.map(({ id, version, workspaceId }) =>
      jobMessage(embedDocument, {
        rowId: id,
        version,
        payload: { workspaceDocumentId: id, version, workspaceId },
      }),
    );
  }

  private async dueBuild(): Promise<OutboxMessage[]> {
    const build = await this.indexes.findDue(scope);
    if (!build) return [];
    // Its model may have to be downloaded before.
    if (!(await this.embedder.isWantedReady())) this.fetchNative();
    return [
      jobMessage(buildIndex, {
        rowId: build.id,
        version: build.version,
        payload: { buildId: build.id, version: build.version },
      }),
    ];
  }

  /** A new key or another embedder: what waited for it need not wait for the next minute. */
  private async followSettings(): Promise<void> {
    await this.follower.follow(true);
    await this.enqueueEmbedding();
  }

  private async enqueueEmbedding(): Promise<void> {
    await this.dataSource.query(
      `UPDATE "ingest"."workspace_document" SET "retry_at" = NULL WHERE "state" = 'searchable' AND "retry_at" IS NOT NULL`,
    );
    const due = [...(await this.dueEmbedding()), ...(await this.dueBuild())];
    if (due.length > 0)
      await this.dataSource.transaction((manager) => this.outbox.add(manager, ...due));
  }

  private fetchNative(): void {
    if (this.fetching) return;
    this.fetching = true;
    void this.embedder
      .ensureNative(this.stopping.signal)
      .then(() => this.followSettings())
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "the native embedder could not be made ready"),
      )
      .finally(() => {
        this.fetching = false;
      });
  }

  private async clean(): Promise<void> {
    await this.dataSource.transaction(async (manager) =>
      this.sweeper.note(manager, await this.documents.deleteForgotten(scope, manager)),
    );
    await this.sweeper.sweep();
    if (Date.now() - this.lastDaily < dailyMs) return;
    this.lastDaily = Date.now();
    await this.cache.deleteOld(cacheDays);
    await sweepTemporary(this.blobs);
    await this.noteUnclaimed();
  }

  /** Uploads whose registration never came. */
  private async noteUnclaimed(): Promise<void> {
    for await (const key of this.blobs.list("original/", {
      updatedBefore: new Date(Date.now() - dailyMs),
    })) {
      await this.dataSource.query(
        `INSERT INTO "ingest"."blob_garbage" ("blob_key") SELECT $1::text WHERE NOT EXISTS (SELECT 1 FROM "ingest"."document" WHERE "blob_key" = $1) ON CONFLICT DO NOTHING`,
        [key],
      );
    }
  }
}
