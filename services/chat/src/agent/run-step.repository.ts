import type { ApprovalDecision, FormAnswer, RunStep, Scope, SourceWire } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import type { AssistantPart, TokenCount } from "@carrel/providers";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { unsynced } from "../database/unsynced.ts";
import { Replica } from "../replica/replica.ts";
import { insertUsage, usageValues, type PlacedUse } from "../usage/usage-record.ts";

/** A reply of the model that called tools. */
export interface ModelCall {
  /** What the model wants back, with its calls. */
  parts: AssistantPart[];
  /** What it added to the answer, as `AnswerText.takeFrom` returns it. */
  written: { text: string; reasoning: StoredSpan[]; lacksOpeningTag: boolean };
  tokens: TokenCount;
}
interface StoredSpan {
  start: number;
  end: number;
  milliseconds: number | null;
}

/** A call of a tool. */
export interface StoredCall {
  /** The model's ID of the call. */
  id: string;
  name: string;
  /** JSON as the model wrote it. */
  input: string;
}

/** How far a call has come. */
export interface StoredResult {
  step: RunStep;
  /** For the model; null: it hasn't ended. */
  text: string | null;
  sources: SourceWire[];
  addresses: string[];
  isUntrusted: boolean;
  isPrivate: boolean;
  /** Set before a call that can't be repeated is made. */
  hasStarted?: boolean;
  /** The answer is this text as it is. */
  isFinal?: true;
  /** What approving the call "for this run" covers, as of when the person was asked. */
  approvalKey?: string;
}

export type StoredStep =
  | { position: number; kind: "model"; call: ModelCall }
  | {
      position: number;
      kind: "tool";
      call: StoredCall;
      result: StoredResult;
      decision: ApprovalDecision | null;
      answers: (FormAnswer | null)[] | null;
    };

/** A step of an earlier answer. */
export type EarlierStep = { turnId: number; position: number } & (
  | { kind: "model"; parts: AssistantPart[] }
  | {
      kind: "tool";
      call: StoredCall;
      id: number;
      state: RunStep["state"];
      /** null: too long to be sent along. */
      text: string | null;
      /** Characters of the whole result. */
      length: number;
    }
);

/** As many steps of earlier answers, and characters of each, as are read. */
const mostEarlier = 400;
const longestEarlier = 24_000;

/** Another run of the answer has gone on with it: this one has lost its lease. */
export class RunLostError extends Error {
  override readonly name = "RunLostError";
}

/** What the person has said to a step that waits. */
export interface StepReply {
  decision: ApprovalDecision | null;
  answers: (FormAnswer | null)[] | null;
}

/** The steps of answers, written before and after each happens. */
@Injectable()
export class RunStepRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly replica: Replica,
  ) {}

  load(turnId: number): Promise<StoredStep[]> {
    return loadSteps(this.dataSource, turnId);
  }

  /**
   * The newest ended steps of these answers, in order. Calls with longer inputs than models are sent
   * again are left out.
   */
  async loadEarlier(turnIds: readonly number[]): Promise<EarlierStep[]> {
    if (turnIds.length === 0) return [];
    const rows = await preparedQuery<EarlierStep>(
      this.dataSource,
      "earlier-steps",
      `SELECT turn_id AS "turnId", position, kind, call,
        CASE kind WHEN 'model' THEN call->'parts' END AS parts,
        (result->'step'->>'id')::int AS id, result->'step'->>'state' AS state,
        CASE WHEN length(result->>'text') <= $2 THEN result->>'text' END AS text,
        length(result->>'text') AS length
      FROM chat.run_step
      WHERE turn_id = ANY($1::int[])
        AND (kind = 'model' OR ended_at IS NOT NULL)
        AND length(call::text) <= $2
      ORDER BY turn_id DESC, position DESC LIMIT $3`,
      [turnIds, longestEarlier, mostEarlier],
    );
    return rows.reverse();
  }

  /** The whole result of a step; null if there is none. */
  async readResult(turnId: number, step: number): Promise<string | null> {
    const [row] = await queryRows<{ text: string | null }>(
      this.dataSource,
      `SELECT result->>'text' AS text FROM chat.run_step
      WHERE turn_id = $1 AND (result->'step'->>'id')::int = $2`,
      [turnId, step],
    );
    return row?.text ?? null;
  }

  /**
   * Records a reply's steps, which are about to happen, and in the same statement what the reply
   * used; the run has made progress, so it may be lost as often again. Throws RunLostError, but the
   * use is recorded even then.
   */
  async add(turnId: number, steps: readonly StoredStep[], use: PlacedUse): Promise<void> {
    const rows = await preparedQuery<{ position: number }>(
      this.dataSource,
      "add-steps",
      `WITH progress AS (
        UPDATE chat.generation SET lost_runs = 0 WHERE turn_id = $1 AND lost_runs > 0
      ),
      used AS (
        ${insertUsage(6)}
      )
      INSERT INTO chat.run_step (turn_id, position, kind, call, result)
      SELECT $1, s.position, s.kind, s.call::json, s.result::json
      FROM unnest($2::int[], $3::text[], $4::text[], $5::text[]) AS s(position, kind, call, result)
      ON CONFLICT DO NOTHING
      RETURNING position`,
      [
        turnId,
        steps.map(({ position }) => position),
        steps.map(({ kind }) => kind),
        steps.map(({ call }) => toJson(call)),
        steps.map((step) => (step.kind === "tool" ? toJson(step.result) : null)),
        ...usageValues(use),
      ],
    );
    if (rows.length < steps.length) throw new RunLostError();
  }

  /**
   * Records that a call is about to be made that can't be repeated: once, and only by the replica
   * that holds the answer's lease. Otherwise, one that was stalled and wakes could send again what
   * its successor has sent. The lease is locked, so that whoever takes it over sees the start.
   * Throws RunLostError.
   */
  async start(turnId: number, position: number, result: StoredResult): Promise<void> {
    const rows = await queryRows<{ position: number }>(
      this.dataSource,
      `WITH own AS (
        SELECT turn_id FROM chat.generation
        WHERE turn_id = $1 AND lease_owner = $4
        FOR NO KEY UPDATE
      )
      UPDATE chat.run_step SET result = $3::json
      FROM own
      WHERE run_step.turn_id = own.turn_id AND position = $2 AND ended_at IS NULL
        AND (result->>'hasStarted')::boolean IS NOT TRUE
      RETURNING position`,
      [turnId, position, toJson({ ...result, hasStarted: true }), this.replica.id],
    );
    if (rows.length === 0) throw new RunLostError();
  }

  /**
   * Records how far a call has come, or its end. Throws RunLostError if it has ended already, or if
   * another run has started it.
   *
   * @param o.forgetsAnswers makes room for those to another form of the call
   * @param o.mayBeLost whether a crash of PostgreSQL may undo it, which saves waiting for the disk
   */
  async update(
    turnId: number,
    position: number,
    result: StoredResult,
    { forgetsAnswers = false, mayBeLost = false } = {},
  ): Promise<void> {
    const rows = await preparedQuery<{ position: number }>(
      this.dataSource,
      "update-step",
      `UPDATE chat.run_step SET result = $3::json,
        ended_at = CASE WHEN $4 THEN now() END,
        answers = CASE WHEN $5 THEN NULL ELSE answers END
      WHERE turn_id = $1 AND position = $2 AND ended_at IS NULL
        AND ($6 OR (result->>'hasStarted')::boolean IS NOT TRUE)
      RETURNING position, CASE WHEN $7 THEN ${unsynced} END`,
      [
        turnId,
        position,
        toJson(result),
        result.text !== null,
        forgetsAnswers,
        result.hasStarted === true,
        mayBeLost,
      ],
    );
    if (rows.length === 0) throw new RunLostError();
  }

  /** What the person has said to the step so far. */
  async findReply(turnId: number, position: number): Promise<StepReply> {
    const [row] = await queryRows<StepReply>(
      this.dataSource,
      "SELECT decision, answers FROM chat.run_step WHERE turn_id = $1 AND position = $2",
      [turnId, position],
    );
    return row ?? { decision: null, answers: null };
  }

  /** Returns false if the step of the caller's answer isn't waiting for it. */
  async reply(
    scope: Scope,
    generationId: string,
    step: number,
    reply: StepReply,
  ): Promise<boolean> {
    const field = reply.decision === null ? "form" : "approval";
    const rows = await queryRows<{ position: number }>(
      this.dataSource,
      `UPDATE chat.run_step SET decision = coalesce($4::text, decision),
        answers = coalesce($5::json, answers)
      FROM chat.generation
      WHERE generation.id = $1
        AND ${isOwn("$2")}
        AND generation.state IN ('queued', 'running')
        AND run_step.turn_id = generation.turn_id
        AND (run_step.result->'step'->>'id')::int = $3
        AND run_step.ended_at IS NULL
        AND run_step.result->'step'->>'state' = 'waiting'
        AND run_step.result->'step'->'${field}'->>'expiresAt' > $6
        AND CASE
          WHEN $4::text IS NULL THEN run_step.answers IS NULL
          ELSE run_step.decision IS NULL
        END
      RETURNING run_step.position`,
      [
        generationId,
        ownerOf(scope),
        step,
        reply.decision,
        reply.answers === null ? null : toJson(reply.answers),
        new Date().toISOString(),
      ],
    );
    return rows.length > 0;
  }

  /** The whole input and result of a step of the caller's answer; null if there is none. */
  async read(
    scope: Scope,
    generationId: string,
    step: number,
  ): Promise<{ input: string; result: string | null } | null> {
    const [row] = await queryRows<{ input: string; result: string | null }>(
      this.dataSource,
      `SELECT left(run_step.call->>'input', 200000) AS input,
        left(run_step.result->>'text', 200000) AS result
      FROM chat.generation
      JOIN chat.run_step ON run_step.turn_id = generation.turn_id
      JOIN chat.thread ON thread.id = generation.thread_id AND thread.deleted_at IS NULL
      WHERE generation.id = $1
        AND ${isOwn("$2")}
        AND (run_step.result->'step'->>'id')::int = $3`,
      [generationId, ownerOf(scope), step],
    );
    return row ?? null;
  }
}

/**
 * Whether a generation is the caller's: a person's own, or one that was requested with the same key,
 * on whoever's behalf, in a workspace that the key may still use.
 */
const isOwn = (owner: string): string => `CASE
          WHEN ${owner}::jsonb ? 'keyId' THEN generation.scope->'principal'->>'kind' = 'key'
            AND generation.scope->'principal'->'keyId' = ${owner}::jsonb->'keyId'
            AND (${owner}::jsonb->'workspaceIds' IS NULL
              OR ${owner}::jsonb->'workspaceIds' @> to_jsonb(generation.workspace_id))
          ELSE generation.user_id IS NOT DISTINCT FROM (${owner}::jsonb->>'userId')::int
        END`;

/** For `isOwn`. */
const ownerOf = ({ principal }: Scope): string =>
  JSON.stringify(
    principal.kind === "key"
      ? { keyId: principal.keyId ?? 0, workspaceIds: principal.workspaceIds }
      : { userId: principal.userId },
  );

export const loadSteps = (
  source: DataSource | EntityManager,
  turnId: number,
): Promise<StoredStep[]> =>
  queryRows<StoredStep>(
    source,
    `SELECT position, kind, call, result, decision, answers
    FROM chat.run_step WHERE turn_id = $1 ORDER BY position`,
    [turnId],
  );

/** PostgreSQL's json accepts no null characters and no lone surrogates in texts that are read. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === "string" ? each.replaceAll("\0", "").toWellFormed() : each,
  );
