import { buildIndex, servicePrincipal } from "@carrel/contracts";
import { jobMessage, Outbox, Reconciler, type OutboxMessage } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { DataSource } from "typeorm";
import { embedJob } from "../document/document-jobs.ts";
import { InstanceSettings } from "../setting/instance-settings.ts";
import { Embedder } from "./embedder.ts";
import { IndexBuildRepository } from "./index-build.repository.ts";
import { IndexFollower } from "./index-follower.ts";

const scope = { principal: servicePrincipal, workspace: null };

/**
 * Queues embedding and index builds once their embedder is ready, and downloads the built-in model
 * when one of them needs it.
 */
@Injectable()
export class EmbeddingReconciler extends Reconciler implements OnApplicationShutdown {
  private isDownloading = false;
  private readonly stopping = new AbortController();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly embedder: Embedder,
    private readonly follower: IndexFollower,
    private readonly builds: IndexBuildRepository,
    settings: InstanceSettings,
  ) {
    super();
    settings.onChange(
      () =>
        void this.applySettings().catch((error: unknown) =>
          this.logger.warn({ err: error }, "couldn't apply changed settings"),
        ),
    );
  }

  override async due(): Promise<OutboxMessage[]> {
    return [...(await this.dueEmbedding()), ...(await this.dueBuild())];
  }

  onApplicationShutdown(): void {
    this.stopping.abort();
  }

  /** Searchable documents that still need vectors in the active index. */
  private async dueEmbedding(): Promise<OutboxMessage[]> {
    const rows = await this.dataSource.query<
      { id: number; version: number; workspaceId: number }[]
    >(`SELECT id, version, workspace_id AS "workspaceId"
      FROM ingest.workspace_document
      WHERE (state = 'searchable' AND (retry_at IS NULL OR retry_at < now()))
        OR (state = 'embedding' AND lease_until < now())
      ORDER BY id LIMIT 5000`);
    if (rows.length === 0) return [];
    if (!(await this.embedder.findReady())) {
      this.downloadModel();
      return [];
    }
    return rows.map((row) => embedJob(row, row.workspaceId));
  }

  private async dueBuild(): Promise<OutboxMessage[]> {
    const build = await this.builds.findDue(scope);
    if (!build) return [];
    if (!(await this.embedder.isConfiguredModelReady())) this.downloadModel();
    return [
      jobMessage(buildIndex, {
        rowId: build.id,
        version: build.version,
        payload: { buildId: build.id, version: build.version },
      }),
    ];
  }

  /** After a new key or embedder, retries waiting work immediately instead of in the next round. */
  private async applySettings(): Promise<void> {
    await this.follower.follow(true);
    await this.dataSource.query(
      `UPDATE ingest.workspace_document SET retry_at = NULL WHERE state = 'searchable' AND retry_at IS NOT NULL`,
    );
    const due = await this.due();
    if (due.length > 0)
      await this.dataSource.transaction((manager) => this.outbox.add(manager, ...due));
  }

  private downloadModel(): void {
    if (this.isDownloading) return;
    this.isDownloading = true;
    void this.embedder
      .ensureNative(this.stopping.signal)
      .then(() => this.applySettings())
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "couldn't download the built-in embedder"),
      )
      .finally(() => {
        this.isDownloading = false;
      });
  }
}
