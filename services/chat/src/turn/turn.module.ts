import {
  CarrelError,
  forkThread,
  listTurns,
  readAllTurns,
  readHistory,
  renderFault,
  type In,
  type Out,
  type TurnWire,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { findTexts } from "@carrel/texts";
import { Controller, Module } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { retryDeadlock } from "../database/in-transaction.ts";
import { queryRows } from "../database/query-rows.ts";
import { visibleTurn } from "../database/visible-turn.ts";
import { resolveThread, threadNotFound } from "../thread/resolve-thread.ts";
import { ThreadChanges } from "../thread/thread-changes.ts";
import { titleFromQuestion } from "../thread/thread-title.ts";
import { ThreadModule } from "../thread/thread.module.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { AllTurnsRepository } from "./all-turns.repository.ts";
import { CitationAccess } from "./citation-access.ts";
import { HistoryRepository } from "./history.repository.ts";
import { TurnBranches, TurnChanges } from "./turn-branches.ts";
import { TurnChangeHandler } from "./turn-change.handler.ts";
import { TurnRepository, type PagedTurn } from "./turn.repository.ts";

@Controller()
class ThreadForkHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly threads: ThreadRepository,
    private readonly changes: ThreadChanges,
  ) {}

  @Handle(forkThread)
  async fork(input: In<typeof forkThread>, ctx: RequestContext): Promise<Out<typeof forkThread>> {
    const scope = inWorkspace(ctx.scope);
    const { chatId } = input;
    if (chatId == null) throw new CarrelError("turn.id-missing");
    const slug = input.threadSlug == null || input.threadSlug === "" ? null : input.threadSlug;
    const source = await this.threads.find(scope, slug);
    if (source === null && slug !== null) throw threadNotFound();
    const made = await retryDeadlock(() =>
      keyed(this.dataSource, ctx, async (manager) => {
        const question =
          source === null ? null : await this.findQuestion(manager, scope, source.id, chatId);
        if (source === null || question === null) throw new CarrelError("turn.not-found");
        const made = await this.threads.create(manager, scope, {
          name: titleFromQuestion(question) ?? findTexts(scope.language)("threadForked"),
          namedBy: "question",
        });
        await this.threads.copyChoices(manager, source.id, made.id);
        await this.copy(manager, scope, source.id, chatId, made.id);
        return { newThreadSlug: made.slug };
      }),
    );
    this.changes.announce(scope, "created", [made.newThreadSlug]);
    return made;
  }

  /** The question of one of the caller's visible turns. */
  private async findQuestion(
    manager: EntityManager,
    scope: WorkspaceScope,
    threadId: number,
    chatId: number,
  ): Promise<string | null> {
    const rows = await queryRows<{ question: string }>(
      manager,
      `SELECT question FROM chat.turn
      WHERE id = $1
        AND thread_id = $2
        AND workspace_id = $3
        AND user_id IS NOT DISTINCT FROM $4
        AND ${visibleTurn("turn")}`,
      [chatId, threadId, scope.workspace.id, scope.principal.userId],
    );
    return rows[0]?.question ?? null;
  }

  /**
   * IDs grow in source order, so each copy's parent is the copy before it. Ratings stay with the
   * original.
   */
  private async copy(
    manager: EntityManager,
    scope: WorkspaceScope,
    from: number,
    upTo: number,
    to: number,
  ): Promise<void> {
    await manager.query(
      `INSERT INTO chat.turn (
        thread_id, workspace_id, user_id, question, agent_call, answer, reasoning, sources, steps,
        attachments, mentions, choices, mode, state, error, fault, metrics, notices, coded_notices, created_at,
        read_untrusted, read_private
      )
      SELECT $5::int, workspace_id, user_id, question, agent_call, answer, reasoning, sources,
        steps, attachments, mentions, choices, mode, state, error, fault, metrics, notices, coded_notices,
        created_at, read_untrusted, read_private
      FROM chat.turn
      WHERE thread_id = $1
        AND workspace_id = $2
        AND user_id IS NOT DISTINCT FROM $3
        AND id <= $4
        AND ${visibleTurn("turn")}
      ORDER BY id`,
      [from, scope.workspace.id, scope.principal.userId, upTo, to],
    );
    await manager.query(
      `UPDATE chat.turn SET parent_id = linked.previous
      FROM (SELECT id, lag(id) OVER (ORDER BY id) AS previous FROM chat.turn WHERE thread_id = $1) linked
      WHERE linked.id = turn.id`,
      [to],
    );
    const agents = await queryRows<{ id: number; place: number }>(
      manager,
      `SELECT id, place
      FROM (
        SELECT id, steps IS NOT NULL AS has_steps, (row_number() OVER (ORDER BY id))::int AS place
        FROM chat.turn
        WHERE thread_id = $1
      ) made
      WHERE has_steps`,
      [to],
    );
    if (agents.length === 0) return;
    // What agents did is sent to the model again with later questions.
    await manager.query(
      `INSERT INTO chat.run_step (turn_id, position, kind, call, result, started_at, ended_at)
      SELECT made.id, step.position, step.kind, step.call, step.result, step.started_at, step.ended_at
      FROM unnest($5::int[], $6::int[]) AS made(id, place)
      JOIN (
        SELECT id, (row_number() OVER (ORDER BY id))::int AS place
        FROM chat.turn
        WHERE thread_id = $1
          AND workspace_id = $2
          AND user_id IS NOT DISTINCT FROM $3
          AND id <= $4
          AND ${visibleTurn("turn")}
      ) source USING (place)
      JOIN chat.run_step step ON step.turn_id = source.id`,
      [
        from,
        scope.workspace.id,
        scope.principal.userId,
        upTo,
        agents.map(({ id }) => id),
        agents.map(({ place }) => place),
      ],
    );
  }
}

@Controller()
class TurnHandler {
  constructor(
    private readonly turns: TurnRepository,
    private readonly threads: ThreadRepository,
    private readonly histories: HistoryRepository,
    private readonly allTurns: AllTurnsRepository,
    private readonly citations: CitationAccess,
  ) {}

  @Handle(readHistory)
  readHistory(
    input: In<typeof readHistory>,
    ctx: RequestContext,
  ): Promise<Out<typeof readHistory>> {
    return this.histories.readPage(inWorkspace(ctx.scope), input);
  }

  @Handle(readAllTurns)
  readAll(input: In<typeof readAllTurns>, ctx: RequestContext): Promise<Out<typeof readAllTurns>> {
    return this.allTurns.page(inWorkspace(ctx.scope), input);
  }

  @Handle(listTurns)
  async page(input: In<typeof listTurns>, ctx: RequestContext): Promise<Out<typeof listTurns>> {
    const scope = inWorkspace(ctx.scope);
    const threadId = await resolveThread(
      this.threads,
      scope,
      input.thread === undefined || input.thread === "" || input.thread === "default"
        ? null
        : input.thread,
    );
    if (threadId === null) return { turns: [], hasMore: false };
    const { turns, hasMore } = await this.turns.page(
      scope,
      threadId,
      input.before ?? null,
      input.limit,
    );
    return { turns: (await this.citations.mask(scope, turns)).map(mapTurn), hasMore };
  }
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/**
 * If the attachments exceed this many characters in total, only names and types are sent: a page
 * holds many turns.
 */
const maxAttached = 60_000;

function mapTurn(turn: PagedTurn): TurnWire {
  const isLong =
    turn.attachments.reduce((sum, attachment) => sum + attachment.contentString.length, 0) >
    maxAttached;
  return {
    id: turn.id,
    question: turn.agentCall + turn.question,
    answer: turn.answer,
    ...(turn.reasoning.length > 0 && { reasoning: turn.reasoning }),
    ...(turn.steps !== null && turn.steps.length > 0 && { steps: turn.steps }),
    sources: turn.sources,
    sentAt: seconds(turn.createdAt),
    state: turn.state,
    error: turn.fault === null ? turn.error : renderFault(turn.fault),
    fault: turn.fault,
    generationId: turn.generationId,
    mode: turn.mode,
    metrics: turn.metrics,
    refused: turn.refused,
    parentId: turn.parentId,
    siblings: turn.siblings,
    siblingQuestions: turn.siblingQuestions,
    attachments: isLong
      ? turn.attachments.map((attachment) => ({ ...attachment, contentString: "" }))
      : turn.attachments,
    ...(turn.scheduleId !== null && { scheduleId: turn.scheduleId }),
    ...(turn.mentions.length > 0 && { mentions: turn.mentions }),
    feedback: turn.feedback,
    feedbackReason: turn.feedbackReason,
    notices: [...turn.notices, ...turn.codedNotices],
  };
}

@Module({
  imports: [ThreadModule],
  controllers: [TurnHandler, TurnChangeHandler, ThreadForkHandler],
  providers: [
    AllTurnsRepository,
    CitationAccess,
    HistoryRepository,
    TurnBranches,
    TurnChanges,
    TurnRepository,
  ],
  exports: [CitationAccess, TurnBranches, TurnChanges, TurnRepository],
})
export class TurnModule {}
