import { randomUUID } from "node:crypto";
import {
  CarrelError,
  flowRunChanged,
  flowRunEnded,
  flowRunsPerPage,
  hasFlowRunEnded,
  runFlowTurn,
  type FaultWire,
  type FlowRunQuestion,
  type FlowRunState,
  type FlowRunTrigger,
} from "@carrel/contracts";
import { eventMessage, jobMessage, Outbox, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import {
  storable,
  type DeniedFlowCall,
  type FlowRunAnswer,
  type FlowRunRow,
  type FlowSnapshot,
  type NewFlowRun,
} from "./flow-run-row.ts";

/** Runs of one owner that haven't ended. */
const mostOpen = 100;
/** A replica that hasn't renewed its lease for this long loses the run. */
const leaseSeconds = 10;
/** How often a run may lose its replica. */
export const mostLost = 5;

const columns = `id, flow_id AS "flowId", name, version, steps, reached, inputs, payload, trigger,
  user_id AS "ownerId", workspace_id AS "workspaceId", approvals, state, turn, lost, question,
  answers, output, fault, denied, created_at AS "createdAt", started_at AS "startedAt",
  ended_at AS "endedAt"`;
/** Without what only a run needs. */
const listed = `id, flow_id AS "flowId", name, version, trigger, user_id AS "ownerId",
  workspace_id AS "workspaceId", state, fault, created_at AS "createdAt",
  started_at AS "startedAt", ended_at AS "endedAt"`;

export type ListedFlowRun = Pick<
  FlowRunRow,
  | "id"
  | "flowId"
  | "name"
  | "version"
  | "trigger"
  | "ownerId"
  | "workspaceId"
  | "state"
  | "fault"
  | "createdAt"
  | "startedAt"
  | "endedAt"
>;

type Turn = Pick<FlowRunRow, "id" | "turn" | "ownerId">;

export const turnMessage = ({ id, turn, ownerId }: Turn, delayMs = 0): OutboxMessage =>
  jobMessage(runFlowTurn, {
    rowId: id,
    version: turn,
    payload: { runId: id, turn, owner: String(ownerId ?? "") },
    delayMs,
  });

/** Another replica has the run, or it has ended. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

@Injectable()
export class FlowRunRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
  ) {}

  /** False if it is already there. Throws `flow.too-many-runs`. */
  async add(manager: EntityManager, run: NewFlowRun, flow: FlowSnapshot): Promise<boolean> {
    const [open] = await queryRows<{ count: number }>(
      manager,
      `SELECT count(*)::int AS count FROM chat.flow_run
      WHERE user_id IS NOT DISTINCT FROM $1 AND ended_at IS NULL AND id <> $2`,
      [run.ownerId, run.id],
    );
    if (open!.count >= mostOpen) throw new CarrelError("flow.too-many-runs", { limit: mostOpen });
    const added = await queryRows(
      manager,
      `INSERT INTO chat.flow_run (
        id, flow_id, name, version, steps, reached, inputs, payload, trigger, user_id, workspace_id,
        approvals
      ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
      ON CONFLICT (id) DO NOTHING RETURNING id`,
      [
        run.id,
        run.flowId,
        flow.name,
        flow.version,
        JSON.stringify(flow.steps),
        JSON.stringify(flow.reached),
        JSON.stringify(run.inputs),
        run.payload === undefined ? null : JSON.stringify(run.payload),
        run.trigger,
        run.ownerId,
        run.workspaceId,
        run.approvals === null ? null : JSON.stringify(run.approvals),
      ],
    );
    if (added.length === 0) return false;
    await this.outbox.add(
      manager,
      turnMessage({ id: run.id, turn: 1, ownerId: run.ownerId }),
      changed(run, "queued"),
    );
    return true;
  }

  async exists(manager: EntityManager, id: string): Promise<boolean> {
    const rows = await queryRows(manager, "SELECT 1 FROM chat.flow_run WHERE id = $1", [id]);
    return rows.length > 0;
  }

  async find(id: string): Promise<FlowRunRow | null> {
    const [row] = await queryRows<FlowRunRow>(
      this.dataSource,
      `SELECT ${columns} FROM chat.flow_run WHERE id = $1`,
      [id],
    );
    return row ?? null;
  }

  /** Latest first; one more than a page if there are further ones. */
  list(o: {
    /** undefined: everyone's. */
    ownerId: number | null | undefined;
    flowId: string | null;
    state: FlowRunState | null;
    trigger: FlowRunTrigger | null;
    after: { createdAt: Date; id: string } | null;
  }): Promise<ListedFlowRun[]> {
    return queryRows(
      this.dataSource,
      `SELECT ${listed} FROM chat.flow_run
      WHERE ($1 OR user_id IS NOT DISTINCT FROM $2)
        AND ($3::uuid IS NULL OR flow_id = $3) AND ($4::text IS NULL OR state = $4)
        AND ($5::text IS NULL OR trigger = $5)
        AND ($6::timestamptz IS NULL OR (created_at, id) < ($6, $7::uuid))
      ORDER BY created_at DESC, id DESC LIMIT $8`,
      [
        o.ownerId === undefined,
        o.ownerId ?? null,
        o.flowId,
        o.state,
        o.trigger,
        o.after?.createdAt ?? null,
        o.after?.id ?? null,
        flowRunsPerPage + 1,
      ],
    );
  }

  /** Begins a turn; null if another replica has it, or it is no longer due. */
  async claim(id: string, turn: number): Promise<{ run: FlowRunRow; lease: string } | null> {
    const lease = randomUUID();
    const [run] = await queryRows<FlowRunRow>(
      this.dataSource,
      `UPDATE chat.flow_run SET state = 'running', lease = $3,
        lease_until = now() + make_interval(secs => $4), started_at = coalesce(started_at, now())
      WHERE id = $1 AND turn = $2 AND ended_at IS NULL
        AND (lease_until IS NULL OR lease_until < now())
      RETURNING ${columns}`,
      [id, turn, lease, leaseSeconds],
    );
    return run === undefined ? null : { run, lease };
  }

  /** False if the lease was lost. */
  async renew(id: string, lease: string): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `UPDATE chat.flow_run SET lease_until = now() + make_interval(secs => $3)
      WHERE id = $1 AND lease = $2 RETURNING id`,
      [id, lease, leaseSeconds],
    );
    return rows.length > 0;
  }

  /** Gives the turn back, so that another replica can begin it. */
  async release(id: string, lease: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE chat.flow_run SET state = 'queued', lease = NULL, lease_until = NULL, due_at = now()
      WHERE id = $1 AND lease = $2`,
      [id, lease],
    );
  }

  /** The turn ends with a question. Throws LeaseLostError. */
  async suspend(run: FlowRunRow, lease: string, question: FlowRunQuestion): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const [row] = await queryRows<Turn>(
        manager,
        `UPDATE chat.flow_run SET state = 'waiting', question = $3, lease = NULL,
          lease_until = NULL, turn = turn + 1, due_at = $4
        WHERE id = $1 AND lease = $2 RETURNING id, turn, user_id AS "ownerId"`,
        [run.id, lease, JSON.stringify(question), question.expiresAt],
      );
      if (row === undefined) throw new LeaseLostError();
      await manager.query(
        `UPDATE chat.flow_run_block SET state = 'waiting',
          revision = nextval('chat.flow_run_revision')
        WHERE run_id = $1 AND path = $2`,
        [run.id, question.path],
      );
      const waitMs = Math.max(0, Date.parse(question.expiresAt) - Date.now());
      await this.outbox.add(manager, turnMessage(row, waitMs), changed(run, "waiting"));
    });
  }

  /** False if this isn't asked any more. */
  async answer(run: FlowRunRow, answer: FlowRunAnswer): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const [row] = await queryRows<Turn>(
        manager,
        `UPDATE chat.flow_run SET state = 'queued', question = NULL, turn = turn + 1,
          due_at = now(), answers = (answers::jsonb || $3::jsonb)::json
        WHERE id = $1 AND state = 'waiting' AND question->>'path' = $2 AND due_at > now()
        RETURNING id, turn, user_id AS "ownerId"`,
        [run.id, answer.path, JSON.stringify([answer])],
      );
      if (row === undefined) return false;
      await this.outbox.add(manager, turnMessage(row), changed(run, "queued"));
      return true;
    });
  }

  /** Throws LeaseLostError. @param record in the same transaction */
  async end(
    run: Pick<FlowRunRow, "id" | "flowId" | "trigger" | "ownerId">,
    lease: string,
    outcome: {
      state: "done" | "failed" | "denied";
      output: string | null;
      fault: FaultWire | null;
      denied: DeniedFlowCall | null;
    },
    record: (manager: EntityManager) => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const isEnded = await this.endIn(manager, run, outcome, { lease });
      if (!isEnded) throw new LeaseLostError();
      await record(manager);
    });
  }

  /** Whoever has it; false if it had ended. */
  endWithoutLease(
    run: Pick<FlowRunRow, "id" | "flowId" | "trigger" | "ownerId">,
    ending: { state: "failed" | "cancelled"; fault: FaultWire | null },
    o: { turn?: number; record?: (manager: EntityManager) => Promise<void> } = {},
  ): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const outcome = { ...ending, output: null, denied: null };
      const isEnded = await this.endIn(manager, run, outcome, { turn: o.turn ?? null });
      if (isEnded) await o.record?.(manager);
      return isEnded;
    });
  }

  private async endIn(
    manager: EntityManager,
    run: Pick<FlowRunRow, "id" | "flowId" | "trigger" | "ownerId">,
    o: {
      state: FlowRunState;
      output: string | null;
      fault: FaultWire | null;
      denied: DeniedFlowCall | null;
    },
    only: { lease?: string; turn?: number | null },
  ): Promise<boolean> {
    const ended = await queryRows(
      manager,
      `UPDATE chat.flow_run SET state = $2, output = $3, fault = $4, denied = $7, question = NULL,
        lease = NULL, lease_until = NULL, ended_at = now()
      WHERE id = $1 AND ended_at IS NULL AND ($5::uuid IS NULL OR lease = $5)
        AND ($6::int IS NULL OR turn = $6)
      RETURNING id`,
      [
        run.id,
        o.state,
        o.output === null ? null : storable(o.output),
        o.fault === null ? null : JSON.stringify(o.fault),
        only.lease ?? null,
        only.turn ?? null,
        o.denied === null ? null : JSON.stringify(o.denied),
      ],
    );
    if (ended.length === 0) return false;
    await manager.query(
      `UPDATE chat.flow_run_block SET state = CASE WHEN sent THEN 'unknown' ELSE 'stopped' END,
        revision = nextval('chat.flow_run_revision')
      WHERE run_id = $1 AND state IN ('running', 'waiting')`,
      [run.id],
    );
    const { id: runId, flowId, trigger } = run;
    const state = o.state as "done" | "failed" | "denied" | "cancelled";
    await this.outbox.add(
      manager,
      eventMessage(flowRunEnded, { runId, flowId, trigger, state }),
      changed(run, o.state),
    );
    return true;
  }

  /** Runs of lost replicas, with a new turn, and those whose jobs may have been lost. */
  async takeDue(): Promise<Turn[]> {
    await this.dataSource.query(
      `UPDATE chat.flow_run SET state = 'queued', turn = turn + 1, lost = lost + 1, lease = NULL,
        lease_until = NULL, due_at = now() - interval '1 minute'
      WHERE ended_at IS NULL AND lease_until < now()`,
    );
    return queryRows(
      this.dataSource,
      `SELECT id, turn, user_id AS "ownerId" FROM chat.flow_run
      WHERE ended_at IS NULL AND lease IS NULL AND due_at < now() - interval '15 seconds'
      ORDER BY due_at LIMIT 500`,
    );
  }

  /** Deletes old runs; returns how many. */
  async purge(o: { days: number; perFlow: number; batch: number }): Promise<number> {
    const rows = await queryRows(
      this.dataSource,
      `DELETE FROM chat.flow_run WHERE id IN (
        SELECT id FROM (
          SELECT id, ended_at, row_number() OVER (PARTITION BY flow_id ORDER BY created_at DESC) AS n
          FROM chat.flow_run WHERE ended_at IS NOT NULL
        ) r
        WHERE ended_at < now() - make_interval(days => $1)
          OR (n > $2 AND ended_at < now() - interval '1 hour')
        LIMIT $3)
      RETURNING id`,
      [o.days, o.perFlow, o.batch],
    );
    return rows.length;
  }
}

const changed = (
  { id, flowId, ownerId }: Pick<FlowRunRow, "id" | "flowId" | "ownerId">,
  state: FlowRunState,
): OutboxMessage => eventMessage(flowRunChanged, { runId: id, flowId, userId: ownerId, state });

export const canContinue = ({ state }: Pick<FlowRunRow, "state">): boolean =>
  hasFlowRunEnded(state) && state !== "done";
