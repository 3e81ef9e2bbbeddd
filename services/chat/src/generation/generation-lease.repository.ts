import { recordReasoning, type Conversation, type FaultWire } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { stripNullCharacters } from "../database/null-character.ts";
import { queryRows } from "../database/query-rows.ts";
import { unsynced } from "../database/unsynced.ts";
import { Replica, leaseSeconds } from "../replica/replica.ts";
import type { RecoveredAnswer } from "./complete-stream.ts";
import type { GenerationState } from "./generation.entity.ts";
import {
  mapAttached,
  mapRunnable,
  type AttachedGeneration,
  type AttachedRow,
  type RunnableGeneration,
  type RunnableRow,
} from "./generation.repository.ts";

/** An answer that has lost this many runs before they had any text is not run again. */
export const maxLostRuns = 3;

/** A generation whose lease has expired. */
export interface LapsedGeneration {
  id: string;
  state: GenerationState;
  /** Whether its run can go on although it has text. */
  may_go_on: boolean;
}
/** The generation's place, and whom to notify. */
interface Place {
  threadId: number;
  workspaceId: number;
  userId: number | null;
  channel: Conversation["channel"] | null;
}
/** A generation this replica took over. */
export type ClosedGeneration = AttachedGeneration & Place;

/** The runs of these that this replica owns, locked in the order of their turns. */
const ownRuns = `(
        SELECT id FROM chat.generation WHERE id = ANY($2::uuid[]) AND lease_owner = $1
        ORDER BY turn_id, id FOR NO KEY UPDATE
      ) own`;

/** Records which replica runs which generation, and until when that replica is presumed alive. */
@Injectable()
export class GenerationLeaseRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly replica: Replica,
  ) {}

  /** Whether any replica has answers to run, to close, or to end because they were deleted. */
  async existAny(): Promise<boolean> {
    const [found] = await queryRows<{ any: boolean }>(
      this.dataSource,
      `SELECT EXISTS (SELECT 1 FROM chat.generation WHERE lease_expires_at IS NOT NULL)
        OR EXISTS (SELECT 1 FROM chat.generation WHERE state = 'queued')
        OR EXISTS (SELECT 1 FROM chat.deleted_generation) AS any`,
      [],
    );
    return found!.any;
  }

  /** Whether any answer waits in the queue, even if its thread isn't free. */
  async existQueued(): Promise<boolean> {
    const [found] = await preparedQuery<{ any: boolean }>(
      this.dataSource,
      "exist queued",
      "SELECT EXISTS (SELECT 1 FROM chat.generation WHERE state = 'queued') AS any",
      [],
    );
    return found!.any;
  }

  /**
   * Claims up to `limit` queued generations whose thread is free, the oldest of each thread. Safe
   * to call from several replicas at once.
   *
   * @param running this replica's runs: one of them may have been taken over and put back
   */
  async claimQueued(limit: number, running: readonly string[]): Promise<RunnableGeneration[]> {
    const rows = await queryRows<RunnableRow>(
      this.dataSource,
      `WITH picked AS (
        SELECT q.id FROM chat.generation q
        WHERE q.state = 'queued'
          AND q.id <> ALL($4::uuid[])
          AND NOT EXISTS (
            SELECT 1 FROM chat.generation r
            WHERE r.thread_id = q.thread_id
              AND (r.state = 'running' OR (r.state = 'queued' AND r.position < q.position))
          )
        ORDER BY q.position LIMIT $2 FOR UPDATE OF q SKIP LOCKED
      ),
      g AS (
        UPDATE chat.generation SET state = 'running', lease_owner = $1,
          lease_expires_at = now() + make_interval(secs => $3), started_at = now()
        FROM picked
        WHERE generation.id = picked.id
        RETURNING generation.*
      ),
      t AS (
        UPDATE chat.turn SET state = 'running'
        FROM g
        WHERE turn.id = g.turn_id
        RETURNING turn.id, turn.question, turn.attachments, turn.coded_notices
      )
      SELECT g.id, g.turn_id, g.thread_id, g.scope, g.overrides, g.requested_mode, g.time_zone,
        g.locale, t.question, t.attachments, t.coded_notices, thread.channel, thread.chat_provider,
        thread.chat_model, thread.answer_parameters
      FROM g
      JOIN t ON t.id = g.turn_id
      JOIN chat.thread ON thread.id = g.thread_id
      ORDER BY g.position`,
      [this.replica.id, limit, leaseSeconds, running],
    );
    return rows.map(mapRunnable);
  }

  /**
   * Gives up a claim; the generation keeps its place in the queue. `notices` were shown by its run.
   * Returns false, and changes nothing, if it has been cancelled or the lease is lost.
   */
  async putBack(id: string, notices: readonly FaultWire[] = []): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `WITH g AS (
        UPDATE chat.generation SET state = 'queued', lease_owner = NULL, lease_expires_at = NULL,
          started_at = NULL
        WHERE id = $1 AND lease_owner = $2 AND state = 'running' AND NOT cancel_requested
        RETURNING turn_id
      )
      UPDATE chat.turn SET state = 'queued', coded_notices = ${longer("$3::json", "coded_notices")}
      FROM g
      WHERE turn.id = g.turn_id
      RETURNING turn.id`,
      [id, this.replica.id, JSON.stringify(notices)],
    );
    return rows.length > 0;
  }

  async exists(id: string): Promise<boolean> {
    return (
      (await queryRows(this.dataSource, "SELECT 1 FROM chat.generation WHERE id = $1", [id]))
        .length > 0
    );
  }

  /**
   * Renews these leases and returns which runs should stop. A lease not returned is lost. A wait
   * for the disk may take longer than a lease lasts.
   */
  async renew(ids: string[]): Promise<{ id: string; cancelRequested: boolean }[]> {
    const rows = await queryRows<{ id: string; cancel_requested: boolean }>(
      this.dataSource,
      `UPDATE chat.generation SET lease_expires_at = now() + make_interval(secs => $3)
      FROM ${ownRuns}
      WHERE generation.id = own.id
      RETURNING generation.id, cancel_requested, ${unsynced}`,
      [this.replica.id, ids, leaseSeconds],
    );
    return rows.map((row) => ({ id: row.id, cancelRequested: row.cancel_requested }));
  }

  /** Drops the leases of generations whose stream has been ended, without waiting for the disk. */
  async drop(ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.dataSource.query(
      `UPDATE chat.generation SET lease_owner = NULL, lease_expires_at = NULL
      FROM ${ownRuns}
      WHERE generation.id = own.id AND state NOT IN ('queued', 'running')
      RETURNING ${unsynced}`,
      [this.replica.id, ids],
    );
  }

  /** Expires these leases now, so that any replica can take over at once. */
  async lapse(ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.dataSource.query(
      `UPDATE chat.generation SET lease_owner = NULL, lease_expires_at = now()
      FROM ${ownRuns}
      WHERE generation.id = own.id`,
      [this.replica.id, ids],
    );
  }

  /**
   * Takes over generations with an expired lease, oldest first: running ones, and ended ones whose
   * stream may not have been ended. This replica is alive, so its own get another half minute:
   * under load its renewals may be late.
   */
  async takeLapsed(): Promise<LapsedGeneration[]> {
    return queryRows<LapsedGeneration>(
      this.dataSource,
      `WITH lapsed AS (
        SELECT id FROM chat.generation
        WHERE lease_expires_at IS NOT NULL
          AND lease_expires_at < now() - CASE
            WHEN lease_owner = $1 THEN interval '30 seconds'
            ELSE interval '0'
          END
        ORDER BY lease_expires_at LIMIT 1000 FOR UPDATE SKIP LOCKED
      )
      UPDATE chat.generation SET lease_owner = $1, lease_expires_at = now() + make_interval(secs => $2)
      FROM lapsed
      JOIN chat.generation g USING (id)
      JOIN chat.turn ON turn.id = g.turn_id
      WHERE generation.id = lapsed.id
      RETURNING generation.id, generation.state, ${mayGoOn} AS may_go_on`,
      [this.replica.id, leaseSeconds],
    );
  }

  /**
   * Puts a generation that was taken over back in the queue, for the next run; false if it has
   * saved text and can't go on, was cancelled, or has lost `maxLostRuns` runs with this one.
   */
  async requeueLapsed(id: string, notices: readonly FaultWire[]): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `WITH g AS (
        UPDATE chat.generation SET state = 'queued', lease_owner = NULL, lease_expires_at = NULL,
          started_at = NULL, lost_runs = lost_runs + 1
        FROM chat.turn
        WHERE turn.id = turn_id
          AND (turn.answer = '' OR ${mayGoOn})
          AND generation.id = $2
          AND lease_owner = $1
          AND generation.state = 'running'
          AND NOT cancel_requested
          AND lost_runs < $3 - 1
        RETURNING turn_id
      )
      UPDATE chat.turn SET state = 'queued', coded_notices = ${longer("$4::json", "coded_notices")}
      FROM g
      WHERE turn.id = g.turn_id
      RETURNING turn.id`,
      [this.replica.id, id, maxLostRuns, JSON.stringify(notices)],
    );
    return rows.length > 0;
  }

  /**
   * Ends a generation that was taken over, if it is still running: with the longer of the saved
   * text and `text`, with `sources` (null: the saved ones), and with the longer list of notices. If
   * it was cancelled, that is how it ends; otherwise with `fault`, or with `silentFault` if it lost
   * its last run without any text.
   * Returns null if it was not running and this replica does not hold its lease. If it was closed
   * just now, it is always returned, because no other replica would end its stream.
   */
  async closeLapsed(
    o: Omit<RecoveredAnswer, "hasEnded"> & { id: string; fault: FaultWire; silentFault: FaultWire },
  ): Promise<ClosedGeneration | null> {
    const text = stripNullCharacters(o.text);
    const [closed] = await queryRows<{ id: number }>(
      this.dataSource,
      `WITH g AS (
        UPDATE chat.generation SET state = CASE WHEN cancel_requested THEN 'cancelled' ELSE 'failed' END,
          finished_at = now()
        WHERE id = $2 AND lease_owner = $1 AND state = 'running'
        RETURNING turn_id, state, lost_runs >= $8 - 1 AS gives_up
      )
      UPDATE chat.turn SET state = g.state,
        fault = CASE
          WHEN g.state = 'cancelled' THEN NULL
          WHEN g.gives_up AND $4 = '' AND answer = '' THEN $7::json
          ELSE $3::json
        END,
        answer = CASE WHEN length($4) > length(answer) THEN $4 ELSE answer END,
        reasoning = CASE WHEN length($4) > length(answer) THEN $9::jsonb ELSE reasoning END,
        sources = coalesce($5::json, sources),
        steps = CASE
          WHEN json_array_length($10::json) > coalesce(json_array_length(steps), 0) THEN $10::json
          ELSE steps
        END,
        coded_notices = ${longer("$6::json", "coded_notices")}
      FROM g
      WHERE turn.id = g.turn_id
      RETURNING turn.id`,
      [
        this.replica.id,
        o.id,
        JSON.stringify(o.fault),
        text,
        o.sources === null ? null : JSON.stringify(o.sources),
        JSON.stringify(o.notices),
        JSON.stringify(o.silentFault),
        maxLostRuns,
        o.reasoning === null ? null : JSON.stringify(recordReasoning(text, o.reasoning)),
        JSON.stringify(o.steps),
      ],
    );
    const [row] = await queryRows<AttachedRow & Place>(
      this.dataSource,
      `SELECT g.id, g.turn_id, g.state, g.finished_at, g.thread_id AS "threadId",
        g.workspace_id AS "workspaceId", g.user_id AS "userId", thread.channel, t.answer,
        t.reasoning, t.notices, t.coded_notices, t.sources, t.steps, t.metrics, t.error, t.fault,
        t.refused, g.tool_calls
      FROM chat.generation g
      JOIN chat.turn t ON t.id = g.turn_id
      JOIN chat.thread ON thread.id = g.thread_id
      WHERE g.id = $2 AND (g.lease_owner = $1 OR $3)`,
      [this.replica.id, o.id, closed !== undefined],
    );
    if (row === undefined) return null;
    const { threadId, workspaceId, userId, channel } = row;
    return { ...mapAttached(row), threadId, workspaceId, userId, channel };
  }
}

/**
 * SQL for whether the turn's run can go on although it has text: from a step, or from its beginning
 * because nobody was there to read it.
 */
const mayGoOn = `(turn.schedule_id IS NOT NULL
  OR EXISTS (SELECT 1 FROM chat.run_step WHERE run_step.turn_id = turn.id))`;

/** SQL for the longer of two JSON arrays. */
const longer = (one: string, other: string): string =>
  `CASE WHEN json_array_length(${one}) > json_array_length(${other}) THEN ${one} ELSE ${other} END`;
