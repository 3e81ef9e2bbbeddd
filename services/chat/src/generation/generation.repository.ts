import {
  type AnswerOverrides,
  type ChatMode,
  type Conversation,
  type FaultWire,
  type KnownFault,
  type MetricsWire,
  readRecorded,
  type ReasoningSpan,
  type RecordedReasoning,
  type RunStep,
  type Scope,
  type SourceWire,
  type ThreadParameters,
  type ToolCall,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { readThreadModelChoice, type ThreadModelChoice } from "../model/language-models.ts";
import type { FullText } from "../retrieval/full-texts.ts";
import type { FoundPassages } from "../retrieval/question-search.ts";
import type { Attachment, Turn, TurnState } from "../turn/turn.entity.ts";
import type { HistoryTurn } from "../turn/turn.repository.ts";

/** Everything a replica needs to run a generation started by any replica. */
export interface RunnableGeneration {
  id: string;
  turnId: number;
  threadId: number;
  /** The thread's channel, if it isn't in the app. */
  channel: Conversation["channel"] | null;
  scope: WorkspaceScope;
  /** Overrides of the workspace's settings. */
  overrides: AnswerOverrides | null;
  requestedMode: ChatMode | null;
  /** The thread's own model; null follows the workspace. */
  modelChoice: ThreadModelChoice | null;
  /** The thread's own; null follows the workspace. */
  parameters: ThreadParameters | null;
  question: string;
  attachments: Attachment[];
  /** Reported by the client, for dates in prompts. */
  timeZone: string | null;
  locale: string | null;
  /** Shown by an earlier run, which ended with its replica. */
  notices: KnownFault[];
  /** Started while the turn was being written; null for follow-ups and after queueing. */
  search: Promise<FoundPassages> | null;
  /** The same for the texts that go into the prompt in full. */
  fullTexts: Promise<FullText[]> | null;
  /** The turns before it, oldest first, if they were read while it was written. */
  history: HistoryTurn[] | null;
  /** Whether an earlier run of it may have left steps. */
  isResumed?: boolean;
}

/** Whether it is written while nobody is there to read it. */
export const isUnattended = ({ overrides }: Pick<RunnableGeneration, "overrides">): boolean =>
  overrides?.approvals != null;

/** A generation claimed from the queue. */
export interface RunnableRow {
  id: string;
  turn_id: number;
  thread_id: number;
  channel: Conversation["channel"] | null;
  scope: WorkspaceScope;
  overrides: AnswerOverrides | null;
  requested_mode: ChatMode | null;
  time_zone: string | null;
  locale: string | null;
  question: string;
  attachments: Attachment[];
  coded_notices: KnownFault[];
  chat_provider: string | null;
  chat_model: string | null;
  answer_parameters: ThreadParameters | null;
}

export const mapRunnable = (row: RunnableRow): RunnableGeneration => ({
  id: row.id,
  turnId: row.turn_id,
  threadId: row.thread_id,
  channel: row.channel,
  scope: row.scope,
  overrides: row.overrides,
  requestedMode: row.requested_mode,
  modelChoice: readThreadModelChoice(row),
  parameters: row.answer_parameters,
  question: row.question,
  attachments: row.attachments,
  timeZone: row.time_zone,
  locale: row.locale,
  notices: row.coded_notices,
  search: null,
  fullTexts: null,
  history: null,
  isResumed: true,
});

/** A generation as its owner sees it when attaching. */
export interface AttachedGeneration {
  id: string;
  turnId: number;
  state: TurnState;
  finishedAt: Date | null;
  answer: string;
  reasoning: ReasoningSpan[] | null;
  notices: (FaultWire | string)[];
  sources: SourceWire[];
  steps: RunStep[];
  metrics: MetricsWire | null;
  fault: FaultWire | null;
  error: string | null;
  refused: boolean;
  isAgent: boolean;
  toolCalls: ToolCall[] | null;
}

@Injectable()
export class GenerationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The asker's choices for this question alone, so that asking it again keeps them. */
  async findQuestionChoices(
    manager: EntityManager,
    threadId: number,
    turnId: number,
  ): Promise<Pick<AnswerOverrides, "places" | "modelChoice" | "mentions"> | null> {
    const [row] = await queryRows<Pick<Turn, "choices" | "mentions">>(
      manager,
      `SELECT coalesce(turn.choices, generation.overrides) AS choices, turn.mentions
      FROM chat.turn
      LEFT JOIN chat.generation ON generation.turn_id = turn.id
      WHERE turn.id = $1 AND turn.thread_id = $2`,
      [turnId, threadId],
    );
    const { places, modelChoice } = row?.choices ?? {};
    return places || modelChoice ? { places, modelChoice, mentions: row!.mentions } : null;
  }

  /**
   * Returns the workspace of the caller's generation; null also while its conversation is in the
   * trash.
   */
  async findWorkspace(scope: Scope, id: string): Promise<{ id: number; slug: string } | null> {
    const rows = await queryRows<{ id: number; slug: string }>(
      this.dataSource,
      `SELECT g.workspace_id AS id, g.scope->'workspace'->>'slug' AS slug
      FROM chat.generation g
      JOIN chat.thread ON thread.id = g.thread_id AND thread.deleted_at IS NULL
      WHERE g.id = $1 AND g.user_id IS NOT DISTINCT FROM $2`,
      [id, scope.principal.userId],
    );
    return rows[0] ?? null;
  }

  async findOwn(scope: Scope, id: string): Promise<AttachedGeneration | null> {
    const rows = await queryRows<AttachedRow>(
      this.dataSource,
      `
      SELECT g.id, g.turn_id, g.state, g.finished_at, t.answer, t.reasoning, t.notices,
        t.coded_notices, t.sources, t.steps, t.metrics, t.error, t.fault, t.refused, t.mode, g.tool_calls
      FROM chat.generation g
      JOIN chat.turn t ON t.id = g.turn_id
      JOIN chat.thread ON thread.id = g.thread_id AND thread.deleted_at IS NULL
      WHERE g.id = $1 AND g.user_id IS NOT DISTINCT FROM $2`,
      [id, scope.principal.userId],
    );
    return rows[0] === undefined ? null : mapAttached(rows[0]);
  }

  /** Returns the running generation in the caller's thread, otherwise the next in its queue. */
  async findCurrent(
    scope: WorkspaceScope,
    threadId: number,
  ): Promise<{ id: string; turnId: number; state: "queued" | "running" } | null> {
    const rows = await queryRows<{ id: string; turn_id: number; state: "queued" | "running" }>(
      this.dataSource,
      `
      SELECT id, turn_id, state
      FROM chat.generation
      WHERE thread_id = $1
        AND workspace_id = $2
        AND user_id IS NOT DISTINCT FROM $3
        AND state IN ('queued', 'running')
      ORDER BY position LIMIT 1`,
      [threadId, scope.workspace.id, scope.principal.userId],
    );
    const row = rows[0];
    return row === undefined ? null : { id: row.id, turnId: row.turn_id, state: row.state };
  }
}

export interface AttachedRow {
  id: string;
  turn_id: number;
  state: TurnState;
  finished_at: Date | null;
  answer: string;
  reasoning: RecordedReasoning | null;
  notices: string[];
  coded_notices: FaultWire[];
  sources: SourceWire[];
  steps: RunStep[] | null;
  metrics: MetricsWire | null;
  fault: FaultWire | null;
  error: string | null;
  refused: boolean;
  mode: ChatMode;
  tool_calls: ToolCall[] | null;
}

export const mapAttached = (row: AttachedRow): AttachedGeneration => ({
  id: row.id,
  turnId: row.turn_id,
  state: row.state,
  finishedAt: row.finished_at,
  answer: row.answer,
  reasoning: readRecorded(row.answer, row.reasoning),
  notices: [...row.notices, ...row.coded_notices],
  sources: row.sources,
  steps: row.steps ?? [],
  metrics: row.metrics,
  fault: row.fault,
  error: row.error,
  refused: row.refused,
  isAgent: row.mode === "automatic",
  toolCalls: row.tool_calls,
});
