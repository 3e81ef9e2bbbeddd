import type { FaultWire, SyncChange } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { Watch } from "./watch.entity.ts";

/** Runs that are kept of each watch. */
const keptRuns = 50;

/** A sync that this replica has begun; `runId` tells it from earlier and later ones. */
export type Claimed = Watch & { runId: string };

/**
 * How a sync ended, and in how many seconds the next one is due; it may depend on the interval that
 * is chosen by then (null: the default).
 */
interface SyncOutcome {
  status: "success" | "failed" | "exited";
  change?: SyncChange;
  fault?: FaultWire | null;
  dueIn: number | ((intervalSeconds: number | null) => number);
  isMissing?: boolean;
  /** Since when the source was read, if that isn't since the sync was claimed. */
  readSince?: string | null;
}

/** How many more syncs a replica can begin. */
interface Room {
  documents: number;
  sources: number;
}

/** Which syncs are due, and who has them: each has one replica, until its lease ends. */
@Injectable()
export class SyncQueueRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Begins as many due syncs of documents and of sources as there is room for, those first that
   * somebody asked for, and at most `perHost` at the same time for each host in all replicas. What a
   * lost replica had is begun again.
   */
  async claim(room: Room, perHost: number, leaseSeconds: number): Promise<Claimed[]> {
    return this.dataSource.transaction(async (manager) => {
      // One at a time, so that together they keep to the limit of each host. What was asked for while
      // this waited is seen, and isn't taken for a later request.
      await manager.query("SELECT pg_advisory_xact_lock(hashtext('sync_worker.claim'))");
      const [rows] = await manager.query<[{ id: number }[], number]>(
        `WITH busy AS (
          SELECT host, count(*) AS count FROM sync_worker.watch
          WHERE state = 'syncing' AND lease_until > now() GROUP BY host
        ), due AS (
          SELECT id, connection_id IS NOT NULL AS is_source, requested_at IS NULL AS is_regular,
            next_sync_at, host, row_number() OVER (
              PARTITION BY host ORDER BY requested_at IS NULL, next_sync_at, id
            ) AS place
          FROM sync_worker.watch
          WHERE state <> 'stopped' AND next_sync_at <= statement_timestamp()
            AND (lease_until IS NULL OR lease_until <= statement_timestamp())
        ), allowed AS (
          SELECT due.* FROM due LEFT JOIN busy USING (host) WHERE place <= $3 - coalesce(count, 0)
        ), chosen AS (
          (
            SELECT id FROM allowed WHERE NOT is_source
            ORDER BY is_regular, next_sync_at, id LIMIT $1
          ) UNION ALL (
            SELECT id FROM allowed WHERE is_source
            ORDER BY is_regular, next_sync_at, id LIMIT $2
          )
        ), locked AS (
          SELECT id, run_id FROM sync_worker.watch
          WHERE id IN (SELECT id FROM chosen)
            AND state <> 'stopped' AND next_sync_at <= statement_timestamp()
            AND (lease_until IS NULL OR lease_until <= statement_timestamp())
          FOR UPDATE SKIP LOCKED
        ), lost AS (
          UPDATE sync_worker.sync_run r SET status = 'exited', ended_at = now()
          FROM locked WHERE r.id = locked.run_id AND r.status = 'unknown'
        ), begun AS (
          INSERT INTO sync_worker.sync_run (watch_id, started_at)
          SELECT id, clock_timestamp() FROM locked RETURNING id, watch_id
        )
        UPDATE sync_worker.watch w SET
          state = 'syncing', run_id = begun.id, lease_until = now() + $4 * interval '1 second'
        FROM begun WHERE w.id = begun.watch_id
        RETURNING w.id`,
        [room.documents, room.sources, perHost, leaseSeconds],
      );
      if (rows.length === 0) return [];
      const watches = await manager
        .createQueryBuilder(Watch, "watch")
        .where("watch.id = ANY(:ids)", { ids: rows.map(({ id }) => id) })
        .orderBy("watch.nextSyncAt")
        .getMany();
      return watches as Claimed[];
    });
  }

  /** Keeps other replicas from beginning them again. */
  async renew(runIds: readonly string[], leaseSeconds: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE sync_worker.watch SET lease_until = now() + $2 * interval '1 second'
      WHERE run_id = ANY($1::bigint[]) AND state = 'syncing'`,
      [runIds, leaseSeconds],
    );
  }

  /** The sync goes on with this run of its connection, whichever replica looks after it. */
  async follow({ id, runId }: Claimed, sourceRunId: string): Promise<void> {
    await this.dataSource.query(
      "UPDATE sync_worker.watch SET source_run_id = $3 WHERE id = $1 AND run_id = $2",
      [id, runId, sourceRunId],
    );
  }

  /** Records how a sync ended, unless another replica has begun it again meanwhile. */
  finish(
    claimed: Claimed,
    outcome: SyncOutcome,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<boolean> {
    return manager.transaction((inner) => this.finishIn(inner, claimed, outcome));
  }

  private async finishIn(
    manager: EntityManager,
    { id, runId }: Claimed,
    { status, change, fault, dueIn, isMissing, readSince }: SyncOutcome,
  ): Promise<boolean> {
    const [watch] = await manager.query<{ interval: number | null }[]>(
      `SELECT interval_seconds AS interval FROM sync_worker.watch
      WHERE id = $1 AND run_id = $2 FOR UPDATE`,
      [id, runId],
    );
    if (watch === undefined) return false;
    const [row] = await manager.query<{ count: number }[]>(
      `WITH run AS (
        UPDATE sync_worker.sync_run SET status = $3, change = $4, fault = $5, ended_at = now()
        WHERE id = $2 AND status = 'unknown'
        RETURNING watch_id, started_at
      ), done AS (
        UPDATE sync_worker.watch w SET
          state = 'waiting',
          lease_until = NULL,
          source_run_id = NULL,
          last_status = $3,
          fault = $5,
          failures = CASE $3 WHEN 'success' THEN 0 WHEN 'failed' THEN failures + 1 ELSE failures END,
          is_missing = coalesce($7, is_missing),
          -- What was asked for in vain still goes first.
          requested_at = CASE
            WHEN $3 = 'failed' THEN NULL
            WHEN $3 = 'exited' OR requested_at > coalesce($8, run.started_at) THEN requested_at
          END,
          last_synced_at = CASE WHEN $3 = 'success' THEN now() ELSE last_synced_at END,
          last_changed_at = CASE
            WHEN $4 IN ('changed', 'removed') THEN now()
            ELSE last_changed_at
          END,
          next_sync_at = CASE
            WHEN $3 <> 'failed' AND requested_at > coalesce($8, run.started_at) THEN now()
            ELSE now() + $6 * interval '1 second'
          END
        FROM run WHERE w.id = $1 AND w.run_id = $2
        RETURNING w.id
      ), old AS (
        DELETE FROM sync_worker.sync_run WHERE watch_id = $1 AND id <= (
          SELECT id FROM sync_worker.sync_run WHERE watch_id = $1
          ORDER BY id DESC LIMIT 1 OFFSET ${keptRuns}
        )
      )
      SELECT count(*)::int AS count FROM done`,
      [
        id,
        runId,
        status,
        change ?? null,
        fault ? JSON.stringify(fault) : null,
        typeof dueIn === "number" ? dueIn : dueIn(watch.interval),
        isMissing ?? null,
        readSince ?? null,
      ],
    );
    return row?.count === 1;
  }

  /** Gives it up until somebody watches it again. */
  async stop(manager: EntityManager, id: number): Promise<void> {
    await manager.query("UPDATE sync_worker.watch SET state = 'stopped' WHERE id = $1", [id]);
  }
}
