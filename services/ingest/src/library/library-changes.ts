import { randomUUID } from "node:crypto";
import {
  CarrelError,
  changeSelection,
  resolveWorkspace,
  servicePrincipal,
  type DocumentSelection,
  type JobPayload,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";
import {
  Outbox,
  Process,
  ProcessFailed,
  Reconciler,
  RequestClient,
  jobMessage,
  type JobContext,
  type OutboxMessage,
} from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { LibraryNotice } from "../document/library-notice.ts";
import { readerOf } from "../document/reader.ts";
import {
  ChangePage,
  buildEligibility,
  libraryChange,
  type ChangeOutcome,
  type FrozenChange,
  type LibraryChange,
} from "./change-page.ts";
import { buildCondition, queryOf, type DocumentQuery } from "./library-query.ts";

/** Turns selections of documents, as clients send them, into queries. */
@Injectable()
export class SelectionResolver {
  constructor(private readonly client: RequestClient) {}

  /** Resolves the workspace slugs in a selection. Throws WORKSPACE_NOT_FOUND. */
  async resolve(scope: Scope, selection: DocumentSelection): Promise<DocumentQuery> {
    const query = queryOf(readerOf(scope), selection);
    if (query.filter?.missingIn !== undefined)
      query.missingInId = await this.findWorkspace(scope, query.filter.missingIn);
    if (query.filter?.heldIn !== undefined)
      query.workspaceId = await this.findWorkspace(scope, query.filter.heldIn);
    return query;
  }

  private async findWorkspace(scope: Scope, slug: string): Promise<number> {
    const workspace = (
      await this.client.request(
        resolveWorkspace,
        { slug },
        { scope: { ...scope, workspace: null } },
      )
    ).scope.workspace;
    if (workspace === null) throw new CarrelError("workspace.not-found");
    return workspace.id;
  }
}

/**
 * Documents per transaction, with one statement per table. Smaller for a purge, which also deletes
 * texts and pages.
 */
const pageSize = (change: LibraryChange): number => (change.kind === "purge" ? 1_000 : 5_000);
/** Time a request spends on its own change before it hands the rest to a job. */
const inlineMs = 2_000;
/** Time one job spends on a change before it requeues it and makes way for the next job. */
const jobMs = 10_000;
const leaseSeconds = 60;

/**
 * Changes to many documents. One statement first records which documents are affected, so documents
 * added later are not. They are then changed page by page; each page's transaction also removes it
 * from the list, so locks are short-lived and any worker can resume the change after a crash.
 */
@Injectable()
export class LibraryChanges extends Reconciler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly selections: SelectionResolver,
    private readonly page: ChangePage,
    private readonly notice: LibraryNotice,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  /**
   * Starts the change and returns its guaranteed outcome; a small change is done when this
   * resolves.
   */
  async start(
    scope: Scope,
    change: LibraryChange,
    selection: DocumentSelection,
  ): Promise<ChangeOutcome> {
    const query = await this.selections.resolve(scope, selection);
    // Inside a workspace a filter applies to the workspace's documents, except that documents to
    // add come from the library.
    if (scope.workspace && change.kind !== "add" && query.filter)
      query.workspaceId = scope.workspace.id;
    const frozen = await this.dataSource.transaction((manager) =>
      this.freeze(manager, scope, change, query),
    );
    if (frozen.outcome.affected > 0) this.notice.announce();
    await this.begin(frozen);
    return frozen.outcome;
  }

  /**
   * Records the affected documents in the caller's transaction; once it commits, removed documents
   * are gone for readers.
   */
  async freeze(
    manager: EntityManager,
    scope: Scope,
    change: LibraryChange,
    query: DocumentQuery,
  ): Promise<FrozenChange> {
    const workspaceId = scope.workspace?.id ?? null;
    const { sql, parameters } = buildCondition(query);
    const id = randomUUID();
    // Enough for 100,000 documents on a busy machine.
    await manager.query(`SET LOCAL statement_timeout = '300s'`);
    await manager.query(
      `INSERT INTO ingest.library_change (id, change, workspace_id, user_id, lease_until)
      VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')`,
      [id, JSON.stringify(change), workspaceId, scope.principal.userId, leaseSeconds],
    );
    const [row] = await manager.query<{ found: number; affected: number }[]>(
      `WITH found AS MATERIALIZED (
        SELECT d.id, d.created_at, (${buildEligibility(change, workspaceId)}) AS fit
        FROM ingest.document d
        WHERE ${sql}
      ),
      noted AS (
        INSERT INTO ingest.library_change_item (change_id, document_id, added_at)
        SELECT $${parameters.length + 1}::uuid, id, created_at
        FROM found
        WHERE fit
        RETURNING 1
      )
      SELECT (SELECT count(*) FROM found)::int AS found,
        (SELECT count(*) FROM noted)::int AS affected`,
      [...parameters, id],
    );
    const { found, affected } = row!;
    const skipped = (query.documentIds ? new Set(query.documentIds).size : found) - affected;
    const after =
      affected === 0
        ? () => undefined
        : await this.page.applyAtOnce(manager, change, id, workspaceId);
    const isOver = affected === 0 || change.kind === "take-out";
    if (isOver) await manager.query(`DELETE FROM ingest.library_change WHERE id = $1`, [id]);
    return {
      id: isOver ? null : id,
      outcome: { affected, skipped },
      after,
    };
  }

  /**
   * Works on a frozen change briefly and leaves the rest to a job. If a page fails, the job retries
   * it, because the outcome has already been promised.
   */
  async begin({ id, after }: FrozenChange): Promise<void> {
    after();
    if (id === null) return;
    try {
      if (await this.work(id, inlineMs, new AbortController().signal)) return;
    } catch (error) {
      if (error instanceof CarrelError && error.kind === "WORKSPACE_NOT_FOUND") {
        await this.drop(id);
        throw error;
      }
      this.logger.warn(
        { err: error, changeId: id },
        "a document change continues in the background",
      );
    }
    await this.scheduleNextTurn(id);
  }

  @Process(changeSelection, { concurrency: 2 })
  async run(
    { changeId, version }: JobPayload<typeof changeSelection>,
    { signal }: JobContext,
  ): Promise<void> {
    const [rows] = await this.dataSource.query<[unknown[], number]>(
      `UPDATE ingest.library_change SET lease_until = now() + $3 * interval '1 second'
      WHERE id = $1 AND version = $2
      RETURNING 1`,
      [changeId, version, leaseSeconds],
    );
    if (rows.length === 0) return;
    try {
      if (!(await this.work(changeId, jobMs, signal))) await this.scheduleNextTurn(changeId);
    } catch (error) {
      if (!(error instanceof CarrelError) || error.kind !== "WORKSPACE_NOT_FOUND") throw error;
      // The workspace was deleted in the meantime, so the change no longer applies.
      await this.drop(changeId);
    }
  }

  /**
   * Changes aren't retried later, as they could undo newer ones; deletions are, as readers don't
   * miss anything.
   */
  @ProcessFailed(changeSelection)
  async fail({ changeId, version }: JobPayload<typeof changeSelection>): Promise<void> {
    const [rows] = await this.dataSource.query<
      [{ kind: string; userId: number | null; documents: number }[], number]
    >(
      `DELETE FROM ingest.library_change
      WHERE id = $1 AND version = $2 AND change->>'kind' <> 'purge'
      RETURNING change->>'kind' AS kind, user_id AS "userId", (
        SELECT count(*)::int FROM ingest.library_change_item WHERE change_id = $1
      ) AS documents`,
      [changeId, version],
    );
    this.notice.announce();
    for (const { kind, userId, documents } of rows) {
      this.logger.error({ changeId, kind, documents }, "a document change failed unfinished");
      this.notice.announceUnfinished({ documents, userId });
    }
  }

  override async due(): Promise<OutboxMessage[]> {
    const rows = await this.dataSource.query<{ id: string; version: number }[]>(
      `SELECT id, version
      FROM ingest.library_change
      WHERE lease_until IS NULL OR lease_until < now()
      ORDER BY created_at LIMIT 1000`,
    );
    return rows.map(({ id, version }) =>
      jobMessage(changeSelection, { rowId: id, version, payload: { changeId: id, version } }),
    );
  }

  /** Processes pages until none are left (true) or time runs out (false). */
  private async work(id: string, longestMs: number, signal: AbortSignal): Promise<boolean> {
    const [row] = await this.dataSource.query<
      { change: unknown; workspace_id: number | null; user_id: number | null }[]
    >(`SELECT change, workspace_id, user_id FROM ingest.library_change WHERE id = $1`, [id]);
    if (!row) return true;
    const change = libraryChange.parse(row.change);
    const workspace: WorkspaceScope | null =
      row.workspace_id === null
        ? null
        : {
            principal: { ...servicePrincipal, userId: row.user_id },
            workspace: { id: row.workspace_id, slug: "" },
          };
    const most = pageSize(change);
    const until = performance.now() + longestMs;
    do {
      let after: () => void = () => undefined;
      const taken = await this.dataSource.transaction(async (manager) => {
        // A caller is waiting: if other changes block this one for too long, leave it to a job.
        if (longestMs === inlineMs) await manager.query(`SET LOCAL lock_timeout = ${inlineMs}`);
        const ids = await this.takePage(manager, id, most);
        if (ids.length > 0) after = await this.page.apply(manager, change, workspace, ids);
        return ids.length;
      });
      after();
      if (taken > 0) this.notice.announce();
      if (taken < most && (await this.end(id))) return true;
    } while (performance.now() < until && !signal.aborted);
    return false;
  }

  /** Oldest first, because documents added together are stored close together on disk. */
  private async takePage(manager: EntityManager, id: string, most: number): Promise<string[]> {
    const [rows] = await manager.query<[{ document_id: string }[], number]>(
      `WITH page AS (
        SELECT document_id FROM ingest.library_change_item
        WHERE change_id = $1
        ORDER BY added_at, document_id LIMIT ${most} FOR UPDATE SKIP LOCKED
      )
      DELETE FROM ingest.library_change_item i USING page
      WHERE i.change_id = $1 AND i.document_id = page.document_id
      RETURNING i.document_id`,
      [id],
    );
    return rows.map((row) => row.document_id);
  }

  /** Deletes the change once no items are left; false while another worker still holds a page. */
  private async end(id: string): Promise<boolean> {
    await this.dataSource.query(
      `DELETE FROM ingest.library_change c
      WHERE c.id = $1
        AND NOT EXISTS (SELECT 1 FROM ingest.library_change_item i WHERE i.change_id = c.id)`,
      [id],
    );
    const rows = await this.dataSource.query<unknown[]>(
      `SELECT 1 FROM ingest.library_change WHERE id = $1`,
      [id],
    );
    return rows.length === 0;
  }

  private async scheduleNextTurn(id: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const [rows] = await manager.query<[{ version: number }[], number]>(
        `UPDATE ingest.library_change SET version = version + 1,
          lease_until = now() + $2 * interval '1 second', updated_at = now()
        WHERE id = $1
        RETURNING version`,
        [id, leaseSeconds],
      );
      const version = rows[0]?.version;
      if (version !== undefined)
        await this.outbox.add(
          manager,
          jobMessage(changeSelection, { rowId: id, version, payload: { changeId: id, version } }),
        );
    });
  }

  private async drop(id: string): Promise<void> {
    await this.dataSource.query(`DELETE FROM ingest.library_change WHERE id = $1`, [id]);
  }
}
