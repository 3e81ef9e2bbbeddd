import type { Fault } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import type { ConnectionRun } from "./connection-run.entity.ts";
import { keepsGone } from "./item.repository.ts";

/** What a source answers in place of all its items during an outage, or of one that moved. */
export const outages: ReadonlySet<string> = new Set([
  "source.canonical",
  "source.missing",
  "source.moved",
  "source.no-captions",
  "source.no-captions-in",
  "source.no-index",
  "source.out-of-scope",
  "source.same-as",
]);
/** So many documents, or this share of all, may lead elsewhere without it being an outage. */
const fewLeft = 3;
const leftShare = 0.2;

type Run = Pick<ConnectionRun, "id" | "connectionId">;

/** SQL of the run, unless it has ended: whoever finishes an item locks its run first. */
const lockOpen = (parameter: string, condition = "true"): string =>
  `SELECT id FROM connectors.connection_run
  WHERE id = ${parameter} AND ended_at IS NULL AND ${condition} FOR UPDATE`;

/**
 * What happens to many items of a run at once, at its beginning and end. Nothing once it was
 * cancelled: another run may have listed them.
 */
@Injectable()
export class RunItemsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Makes items of earlier runs due in this one: all that exist, or only those that failed or are
   * documents. Returns how many these are.
   */
  async requeue(
    manager: EntityManager,
    { id, connectionId }: Run,
    which: "known" | "failed" | "documents",
  ): Promise<number> {
    const [counted] = await manager.query<{ count: number }[]>(
      `WITH known AS (
        SELECT key FROM connectors.source_item
        WHERE connection_id = $2 AND run_id <> $1
          AND CASE $3
            WHEN 'known' THEN state <> 'gone' AND NOT is_lost
            WHEN 'documents' THEN state <> 'gone' AND document_id IS NOT NULL
            ELSE state IN ('failed', 'pending')
          END
        ORDER BY key FOR UPDATE
      ), due AS (
        UPDATE connectors.source_item i SET
          run_id = $1, state = 'pending', fault = NULL, attempts = 0, due_at = now(),
          updated_at = now(),
          -- Read whole once, a page shows whether it still leads to a lost one.
          version = CASE
            WHEN NOT EXISTS (
              SELECT 1 FROM connectors.source_item WHERE connection_id = $2 AND is_lost
            ) THEN i.version
          END
        FROM known WHERE i.connection_id = $2 AND i.key = known.key
        RETURNING 1
      ), done AS (
        UPDATE connectors.connection_run SET found = found + (SELECT count(*) FROM due) WHERE id = $1
      )
      SELECT count(*)::int AS count FROM due`,
      [id, connectionId, which],
    );
    return counted?.count ?? 0;
  }

  /** After a listing that left out a part: asks for every document that it didn't mention. */
  requeueUnlisted(run: Run): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const open = await manager.query<unknown[]>(lockOpen("$1"), [run.id]);
      return open.length === 0 ? 0 : this.requeue(manager, run, "documents");
    });
  }

  /** Skips what is left of a run. */
  async skipPending(runId: string, fault: Fault): Promise<void> {
    await this.dataSource.query(
      `WITH run AS (
        ${lockOpen("$1")}
      ), done AS (
        UPDATE connectors.source_item SET state = 'skipped', fault = $2, updated_at = now()
        FROM run WHERE run_id = run.id AND state = 'pending' RETURNING 1
      )
      UPDATE connectors.connection_run SET skipped = skipped + (SELECT count(*) FROM done) WHERE id = $1`,
      [runId, JSON.stringify(fault)],
    );
  }

  /**
   * At the end of a run: documents whose items lead elsewhere now are gone, unless there are too many
   * of them and `isSure` isn't set. Returns how many are kept.
   */
  dropLeft({ id, connectionId }: Run, isSure: boolean): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const open = await manager.query<unknown[]>(lockOpen("$1"), [id]);
      if (open.length === 0) return 0;
      const isLeft = `run_id = $2 AND state = 'failed' AND document_id IS NOT NULL
        AND fault->>'code' = ANY($3)`;
      const parameters = [connectionId, id, [...outages]];
      const [counted] = await manager.query<{ left: number; all: number }[]>(
        `SELECT count(*) FILTER (WHERE ${isLeft})::int AS left, count(document_id)::int AS all
        FROM connectors.source_item WHERE connection_id = $1`,
        parameters,
      );
      const { left = 0, all = 0 } = counted ?? {};
      if (left === 0) return 0;
      if (!isSure && left > Math.max(fewLeft, all * leftShare)) return left;
      await manager.query(
        `WITH gone AS (
          SELECT key, document_id, fault->>'code' = 'source.missing' AS is_missing,
            fault->>'code' = 'source.missing' AND ${keepsGone} AS is_kept
          FROM connectors.source_item
          WHERE connection_id = $1 AND ${isLeft} ORDER BY key FOR UPDATE
        ), stale AS (
          INSERT INTO connectors.stale_document (document_id, connection_id)
          SELECT document_id, $1 FROM gone WHERE NOT is_kept ON CONFLICT DO NOTHING
        ), done AS (
          UPDATE connectors.source_item i SET
            state = CASE WHEN gone.is_kept THEN 'gone' ELSE 'skipped' END,
            document_id = CASE WHEN gone.is_kept THEN i.document_id END,
            fingerprint = NULL,
            is_lost = gone.is_missing AND NOT gone.is_kept,
            updated_at = now()
          FROM gone WHERE i.connection_id = $1 AND i.key = gone.key
        )
        UPDATE connectors.connection_run SET
          failed = failed - (SELECT count(*) FROM gone),
          skipped = skipped + (SELECT count(*) FROM gone),
          removed = removed + (SELECT count(*) FROM gone WHERE NOT is_kept)
        WHERE id = $2`,
        parameters,
      );
      return 0;
    });
  }

  /**
   * At the end of a run: after a complete listing, what it didn't mention is gone. What is kept
   * although it is gone belongs to the run as well; it loses its documents once it isn't kept.
   */
  async settleGone({ id, connectionId }: Run, isComplete: boolean): Promise<void> {
    await this.settleLost({ id, connectionId }, isComplete);
    await this.dataSource.query(
      `WITH run AS (
        ${lockOpen("$2")}
      ), unlisted AS (
        SELECT key, document_id FROM connectors.source_item CROSS JOIN run
        WHERE connection_id = $1 AND run_id <> $2
          AND CASE
            WHEN state = 'gone' THEN document_id IS NOT NULL
            ELSE $3 AND item @> (
              SELECT left_out FROM connectors.connection_run WHERE id = $2
            ) IS NOT TRUE
          END
        ORDER BY key FOR UPDATE OF source_item
      ), stale AS (
        INSERT INTO connectors.stale_document (document_id, connection_id)
        SELECT document_id, $1 FROM unlisted WHERE document_id IS NOT NULL AND NOT ${keepsGone}
        ON CONFLICT DO NOTHING RETURNING 1
      ), counted AS (
        UPDATE connectors.connection_run SET removed = removed + (SELECT count(*) FROM stale)
        WHERE id = $2
      )
      UPDATE connectors.source_item i SET
        state = 'gone',
        document_id = CASE WHEN ${keepsGone} THEN i.document_id END,
        fingerprint = CASE WHEN ${keepsGone} THEN i.fingerprint END,
        run_id = $2,
        updated_at = now()
      FROM unlisted WHERE i.connection_id = $1 AND i.key = unlisted.key`,
      [connectionId, id, isComplete],
    );
  }

  /**
   * After a complete listing, nothing leads to lost items that it didn't mention, so they are
   * forgotten. After another one that isn't known, so they are asked for like all others.
   */
  private async settleLost({ id, connectionId }: Run, isComplete: boolean): Promise<void> {
    await this.dataSource.query(
      `WITH run AS (
        ${lockOpen("$2", "NOT is_retry")}
      ), lost AS (
        SELECT key FROM connectors.source_item CROSS JOIN run
        WHERE connection_id = $1 AND run_id <> $2 AND is_lost
        ORDER BY key FOR UPDATE OF source_item
      ), forgotten AS (
        DELETE FROM connectors.source_item i USING lost
        WHERE $3 AND i.connection_id = $1 AND i.key = lost.key
      )
      UPDATE connectors.source_item i SET is_lost = false
      FROM lost WHERE NOT $3 AND i.connection_id = $1 AND i.key = lost.key`,
      [connectionId, id, isComplete],
    );
  }

  /** How many items aren't done, and in how many ms the next of them is due. */
  async countPending(runId: string): Promise<{ pending: number; dueInMs: number }> {
    const [row] = await this.dataSource.query<{ pending: number; due: number | null }[]>(
      `SELECT count(*)::int AS pending,
        (extract(epoch FROM min(due_at) - now()) * 1000)::float AS due
      FROM connectors.source_item WHERE run_id = $1 AND state = 'pending'`,
      [runId],
    );
    return { pending: row?.pending ?? 0, dueInMs: Math.max(0, Math.ceil(row?.due ?? 0)) };
  }
}
