import { sweepIndex } from "@carrel/contracts";
import { jobMessage, Reconciler, type OutboxMessage } from "@carrel/messaging";
import { LOGGER } from "@carrel/runtime";
import type { Logger } from "@carrel/observability";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { indexJob } from "../document/document-jobs.ts";
import { IndexFollower } from "./index-follower.ts";
import { IndexJanitor } from "./index-janitor.ts";
import { DocumentLanguages } from "./document-languages.ts";
import { VectorSelfCheck } from "./vector-self-check.ts";
import { secondSweepMinutes } from "./index-sweeper.ts";

/** Keeps the indexes in line with the settings and PostgreSQL, and requeues lost index jobs. */
@Injectable()
export class IndexReconciler extends Reconciler {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly follower: IndexFollower,
    private readonly janitor: IndexJanitor,
    private readonly languages: DocumentLanguages,
    private readonly selfCheck: VectorSelfCheck,
  ) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    await this.attempt("couldn't apply the index settings", () => this.follower.follow());
    await this.attempt("couldn't check the search indexes for losses", () =>
      this.janitor.followLosses(),
    );
    await this.attempt("couldn't detect the languages of documents", () => this.languages.detect());
    await this.attempt("couldn't check whether vectors mean anything", () => this.selfCheck.run());
    await this.attempt("couldn't free dropped indexes", () => this.janitor.free());
    return [...(await this.dueIndexing()), ...(await this.dueSweeps())];
  }

  private async attempt(failure: string, work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => this.logger.warn({ err: error }, failure));
  }

  private async dueIndexing(): Promise<OutboxMessage[]> {
    const rows = await this.dataSource.query<
      { id: number; version: number; workspaceId: number }[]
    >(`SELECT w.id, w.version, w.workspace_id AS "workspaceId"
      FROM ingest.workspace_document w
      JOIN ingest.document d ON d.id = w.document_id AND d.state = 'parsed'
      WHERE (
          w.state = 'queued'
          AND w.last_updated_at < now() - interval '2 seconds'
          AND (w.retry_at IS NULL OR w.retry_at < now())
        )
        OR (w.state = 'indexing' AND w.lease_until < now())
      ORDER BY w.id LIMIT 5000`);
    return rows.map((row) => indexJob(row, row.workspaceId));
  }

  private async dueSweeps(): Promise<OutboxMessage[]> {
    const rows = await this.dataSource.query<{ workspaceId: number; version: number }[]>(
      `SELECT workspace_id AS "workspaceId", max(id)::int AS version
      FROM (
        SELECT workspace_id, id
        FROM ingest.index_garbage
        WHERE swept_at IS NULL OR created_at < now() - $1 * interval '1 minute'
        UNION ALL
        SELECT workspace_id, id
        FROM ingest.removed_link
      ) due
      GROUP BY workspace_id
      LIMIT 1000`,
      [secondSweepMinutes],
    );
    return rows.map(({ workspaceId, version }) =>
      jobMessage(sweepIndex, { rowId: workspaceId, version, payload: { workspaceId, version } }),
    );
  }
}
