import {
  clipText,
  placeInAnswer,
  splitReasoning,
  withoutReasoning,
  type FeedbackReason,
  type ReasoningBlock,
  type RecordedReasoning,
  type RunStep,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, IsNull, type EntityManager, type SelectQueryBuilder } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { visibleTurn } from "../database/visible-turn.ts";
import { cutNotice, longestText } from "./turn-cut.ts";
import { Turn, type Attachment, type ReadContent } from "./turn.entity.ts";

/**
 * Size of a page's texts in bytes: a reply may take 1 MB, and quotes and line breaks take two bytes
 * each in JSON.
 */
const pageBytes = 480_000;
/**
 * A turn of the active path, with its run and the IDs of its versions (empty if there is only one).
 */
export type PagedTurn = Omit<Turn, "reasoning"> & {
  reasoning: ReasoningBlock[];
  generationId: string | null;
  siblings: number[];
  siblingQuestions: number[];
};

/** A person's own text is an answer, whatever it replaces. */
const withoutKind = (): string =>
  `CASE WHEN metrics->>'answer_kind' IS NULL THEN metrics ELSE (metrics::jsonb - 'answer_kind')::json END`;

/** A turn as it is stored, for the history of the next prompt. */
export interface StoredHistoryTurn extends Omit<HistoryTurn, keyof ReadContent> {
  reasoning: RecordedReasoning | null;
  hasReadUntrusted: boolean | null;
  hasReadPrivate: boolean | null;
}

export const toHistory = ({ reasoning, ...turn }: StoredHistoryTurn): HistoryTurn => ({
  ...turn,
  answer: withoutReasoning(turn.answer, reasoning),
  hasReadUntrusted: turn.hasReadUntrusted ?? true,
  hasReadPrivate: turn.hasReadPrivate ?? true,
});

/** A turn as history for the next prompt. */
export interface HistoryTurn extends ReadContent {
  /** null: another program has brought it. */
  id: number | null;
  question: string;
  /** Without its reasoning, which isn't repeated to the model. */
  answer: string;
  attachments: readonly Attachment[];
}

@Injectable()
export class TurnRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * For Carrel's own client: all turns of the active path except hidden ones, the newest `limit`
   * before `before`, oldest first, and whether there are older ones.
   */
  async page(
    scope: WorkspaceScope,
    threadId: number,
    before: number | null,
    limit: number,
  ): Promise<{ turns: PagedTurn[]; hasMore: boolean }> {
    const query = this.own(scope)
      .andWhere("turn.thread_id = :threadId AND turn.active AND NOT turn.hidden", { threadId })
      .orderBy("turn.id", "DESC")
      .limit(limit + 1);
    if (before !== null) query.andWhere("turn.id < :before", { before });
    const found = await query.getMany();
    let room = pageBytes;
    // Always includes the newest one; more as long as the reply stays below its limit.
    const turns = found
      .slice(0, limit)
      .filter((turn, index) => (room -= sizeOf(turn)) >= 0 || index === 0)
      .map(fit);
    const [generations, versions] = await Promise.all([
      queryRows<{ id: string; turn_id: number }>(
        this.dataSource,
        "SELECT id, turn_id FROM chat.generation WHERE turn_id = ANY($1::int[])",
        [turns.map((turn) => turn.id)],
      ),
      queryRows<{ parent: number; ids: number[]; questions: string[] }>(
        this.dataSource,
        `
        SELECT coalesce(parent_id, 0) AS parent, array_agg(id ORDER BY id) AS ids,
          array_agg(md5(agent_call || question) ORDER BY id) AS questions
        FROM chat.turn
        WHERE thread_id = $1
          AND workspace_id = $2
          AND user_id IS NOT DISTINCT FROM $3
          AND coalesce(parent_id, 0) = ANY($4::int[])
          AND NOT hidden
        GROUP BY 1
        HAVING count(*) > 1`,
        [
          threadId,
          scope.workspace.id,
          scope.principal.userId,
          turns.map((turn) => turn.parentId ?? 0),
        ],
      ),
    ]);
    const byParent = new Map(versions.map((version) => [version.parent, version]));
    const byTurn = new Map(generations.map((generation) => [generation.turn_id, generation.id]));
    return {
      turns: turns.reverse().map((turn) => {
        const { ids = [], questions = [] } = byParent.get(turn.parentId ?? 0) ?? {};
        return Object.assign(turn, {
          generationId: byTurn.get(turn.id) ?? null,
          siblings: ids,
          siblingQuestions: questions.map((question) => questions.indexOf(question)),
        });
      }),
      hasMore: found.length > turns.length,
    };
  }

  /** Groups the caller's turns among `ids` by thread, except for threads in the trash. */
  async groupOwn(
    manager: EntityManager,
    scope: WorkspaceScope,
    ids: number[],
  ): Promise<Map<number, number[]>> {
    const rows = await queryRows<{ thread_id: number; ids: number[] }>(
      manager,
      `
      SELECT turn.thread_id, array_agg(turn.id) AS ids
      FROM chat.turn
      JOIN chat.thread
        ON thread.id = turn.thread_id AND thread.deleted_at IS NULL AND thread.channel IS NULL
      WHERE turn.id = ANY($1::int[])
        AND turn.workspace_id = $2
        AND turn.user_id IS NOT DISTINCT FROM $3
      GROUP BY turn.thread_id
      ORDER BY turn.thread_id`,
      [ids, scope.workspace.id, scope.principal.userId],
    );
    return new Map(rows.map((row) => [row.thread_id, row.ids]));
  }

  /**
   * Returns one of the caller's turns that is not hidden, with its thread; null both for unknown
   * and for other users' turns.
   */
  async findOwn(
    scope: WorkspaceScope,
    id: number,
    manager = this.dataSource.manager,
  ): Promise<Turn | null> {
    return manager
      .createQueryBuilder(Turn, "turn")
      .innerJoin(
        "thread",
        "thread",
        "thread.id = turn.thread_id AND thread.deleted_at IS NULL AND thread.channel IS NULL",
      )
      .where(
        `turn.id = :id
          AND turn.workspace_id = :workspaceId
          AND turn.user_id IS NOT DISTINCT FROM :userId
          AND NOT turn.hidden`,
        { id, workspaceId: scope.workspace.id, userId: scope.principal.userId },
      )
      .getOne();
  }

  /** Returns the workspace and thread of one of the user's visible turns. */
  async findPlace(
    userId: number | null,
    id: number,
  ): Promise<{ workspaceId: number; threadId: number } | null> {
    const rows = await queryRows<{ workspaceId: number; threadId: number }>(
      this.dataSource,
      `
      SELECT turn.workspace_id AS "workspaceId", turn.thread_id AS "threadId"
      FROM chat.turn
      JOIN chat.thread
        ON thread.id = turn.thread_id AND thread.deleted_at IS NULL AND thread.channel IS NULL
      WHERE turn.id = $1 AND turn.user_id IS NOT DISTINCT FROM $2 AND NOT turn.hidden`,
      [id, userId],
    );
    return rows[0] ?? null;
  }

  /** The last `limit` visible turns before this one, oldest first. */
  async listHistory(
    scope: WorkspaceScope,
    threadId: number,
    beforeTurnId: number,
    limit: number,
  ): Promise<HistoryTurn[]> {
    const rows = await queryRows<StoredHistoryTurn>(
      this.dataSource,
      `SELECT id, question, answer, reasoning, attachments,
        read_untrusted AS "hasReadUntrusted", read_private AS "hasReadPrivate"
      FROM chat.turn
      WHERE thread_id = $1
        AND workspace_id = $2
        AND user_id IS NOT DISTINCT FROM $3
        AND id < $4
        AND ${visibleTurn("turn")}
      ORDER BY id DESC LIMIT $5`,
      [threadId, scope.workspace.id, scope.principal.userId, beforeTurnId, limit],
    );
    return rows.reverse().map(toHistory);
  }

  /** The attachments of a turn in the thread. */
  async findAttachments(
    manager: EntityManager,
    threadId: number,
    turnId: number,
  ): Promise<Attachment[]> {
    const turn = await manager.findOne(Turn, {
      select: { id: true, attachments: true },
      where: { id: turnId, threadId },
    });
    return turn?.attachments ?? [];
  }

  /** Hides all turns of the thread so far from users and prompts. */
  async hideAll(manager: EntityManager, scope: WorkspaceScope, threadId: number): Promise<void> {
    await manager.update(
      Turn,
      {
        threadId,
        workspaceId: scope.workspace.id,
        userId: scope.principal.userId ?? IsNull(),
        hidden: false,
      },
      { hidden: true },
    );
  }

  /** The turn must not be running. */
  async updateQuestion(manager: EntityManager, id: number, question: string): Promise<void> {
    await manager.update(Turn, { id }, { question });
  }

  /** The turn must not be running. */
  async updateAnswer(
    manager: EntityManager,
    id: number,
    text: Pick<Turn, "answer" | "reasoning">,
  ): Promise<void> {
    await manager.update(Turn, { id }, { ...text, metrics: withoutKind });
  }

  /** A reason is kept only as long as the answer is rated as bad. */
  async rate(id: number, feedback: boolean | null): Promise<void> {
    await this.dataSource.manager.update(
      Turn,
      { id },
      { feedback, ...(feedback === false ? {} : { feedbackReason: null }) },
    );
  }

  async explainRating(id: number, feedbackReason: FeedbackReason): Promise<void> {
    await this.dataSource.manager.update(Turn, { id }, { feedback: false, feedbackReason });
  }

  private own(scope: WorkspaceScope): SelectQueryBuilder<Turn> {
    return this.dataSource.manager
      .createQueryBuilder(Turn, "turn")
      .where("turn.workspace_id = :workspaceId AND turn.user_id IS NOT DISTINCT FROM :userId", {
        workspaceId: scope.workspace.id,
        userId: scope.principal.userId,
      });
  }
}

/** Size in bytes; a page includes only the names of large attachments (`mapTurn`). */
const sizeOf = (turn: Turn): number =>
  Buffer.byteLength(turn.question) +
  Buffer.byteLength(turn.answer) +
  Buffer.byteLength(JSON.stringify(turn.sources)) +
  (turn.steps === null ? 0 : Buffer.byteLength(JSON.stringify(turn.steps))) +
  Buffer.byteLength(JSON.stringify(turn.mentions)) +
  Math.min(60_000, attachedLength(turn)) +
  400;
const cut = (text: string, longest = longestText): string =>
  text.length <= longest ? text : `${clipText(text, longest)}${cutNotice}`;

/** Cuts the texts of a turn too large for a page, and omits its sources. */
function fit(turn: Turn): Omit<PagedTurn, "generationId" | "siblings" | "siblingQuestions"> {
  const split = splitReasoning(turn.answer, turn.reasoning);
  const whole = { ...turn, ...split, steps: placeSteps(turn) };
  if (sizeOf(turn) <= pageBytes) return whole;
  let room = longestText;
  const reasoning = whole.reasoning.flatMap((block) => {
    const text = room > 0 ? cut(block.text, room) : "";
    room -= block.text.length;
    return text === "" ? [] : [{ ...block, text }];
  });
  const [question, answer] = [cut(turn.question), cut(whole.answer)];
  const steps = whole.steps?.map((step) => ({
    ...step,
    at: Math.min(step.at, answer.length),
    input: "",
    result: null,
    outputs: step.outputs.filter(({ type }) => type === "file"),
  }));
  return { ...whole, question, answer, reasoning, steps: steps ?? null, sources: [] };
}

/** Steps with positions in the answer without its reasoning; nothing runs once it has ended. */
function placeSteps({ answer, reasoning, steps, state }: Turn): RunStep[] | null {
  if (steps === null) return null;
  const hasEnded = state !== "running" && state !== "queued";
  return steps.map((step) => ({
    ...step,
    at: placeInAnswer(answer, reasoning, step.at),
    state:
      hasEnded && (step.state === "running" || step.state === "waiting") ? "stopped" : step.state,
  }));
}

const attachedLength = (turn: Turn): number =>
  turn.attachments.reduce((sum, attachment) => sum + attachment.contentString.length, 0);
