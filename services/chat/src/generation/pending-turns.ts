import { randomUUID } from "node:crypto";
import {
  CarrelError,
  type Conversation,
  type In,
  type KnownFault,
  type Out,
  type Principal,
  type WorkspaceScope,
  type resetHistory,
  type startGeneration,
} from "@carrel/contracts";
import { keyed, type RequestContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { keepSteps, readKeptSteps } from "../agent/kept-steps.ts";
import { retryDeadlock } from "../database/in-transaction.ts";
import { queryRows } from "../database/query-rows.ts";
import { threadNotFound } from "../thread/resolve-thread.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { TurnBranches, TurnChanges } from "../turn/turn-branches.ts";
import { TurnRepository } from "../turn/turn.repository.ts";
import { abortFrames, resetFrame } from "./frames.ts";
import {
  GenerationStartRepository,
  type NewQuestion,
  type StartedGeneration,
} from "./generation-start.repository.ts";
import {
  GenerationStopper,
  noStoppedGenerations,
  type StoppedGenerations,
} from "./generation-stopper.ts";
import { GenerationRepository } from "./generation.repository.ts";

/** Removes histories from view and from prompts; the command `/reset` does too. */
@Injectable()
export class HistoryReset {
  constructor(
    private readonly dataSource: DataSource,
    private readonly threads: ThreadRepository,
    private readonly turns: TurnRepository,
    private readonly changes: TurnChanges,
  ) {}

  async run(
    scope: WorkspaceScope,
    threadSlug: string | null,
    ctx: RequestContext,
  ): Promise<Out<typeof startGeneration>> {
    let threadId: number | null = null;
    const reply = await keyed(this.dataSource, ctx, async (manager) => {
      threadId = await this.hideThread(manager, scope, threadSlug);
      const frames = [resetFrame(randomUUID())];
      return { generationId: null, chatId: null, queued: false, frames };
    });
    if (threadId !== null) this.changes.announce(scope, threadId);
    return reply;
  }

  /** The same at the request of another program. */
  async reset(
    scope: WorkspaceScope,
    { threadSlug, conversation }: In<typeof resetHistory>,
  ): Promise<void> {
    if (conversation != null) {
      await this.dataSource.transaction((manager) =>
        this.hideConversation(manager, scope, conversation),
      );
      return;
    }
    const threadId = await this.dataSource.transaction((manager) =>
      this.hideThread(manager, scope, threadSlug),
    );
    this.changes.announce(scope, threadId);
  }

  private async hideThread(
    manager: EntityManager,
    scope: WorkspaceScope,
    threadSlug: string | null,
  ): Promise<number> {
    const threadId = await this.threads.lock(manager, scope, threadSlug);
    if (threadId === null) throw threadNotFound();
    await this.turns.hideAll(manager, scope, threadId);
    return threadId;
  }

  private async hideConversation(
    manager: EntityManager,
    scope: WorkspaceScope,
    conversation: Conversation,
  ): Promise<void> {
    const threadId = await this.threads.findConversation(manager, scope, conversation);
    if (threadId !== null) await this.turns.hideAll(manager, scope, threadId);
  }
}

type Reply = Out<typeof startGeneration>;

export interface PendingTurn extends StartedGeneration {
  /** Runs that the question replaces; to be ended after the commit. */
  stopped: StoppedGenerations;
}

/** Rolls back what was done for a question that isn't written, which is checked again if repeated. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";

  constructor(readonly fault: KnownFault) {
    super(fault.code);
  }
}

/** Takes the steps that some questions need before they are started. */
@Injectable()
export class PendingTurns {
  constructor(
    private readonly dataSource: DataSource,
    private readonly threads: ThreadRepository,
    private readonly turns: TurnRepository,
    private readonly branches: TurnBranches,
    private readonly generations: GenerationRepository,
    private readonly stopper: GenerationStopper,
    private readonly starts: GenerationStartRepository,
  ) {}

  /**
   * Writes a question under its request's key, unless a daily limit or a budget refuses it.
   * `pending` is null if it was refused or had been written before.
   */
  async write(
    ctx: RequestContext,
    asked: NewQuestion,
  ): Promise<{ reply: Reply; pending: PendingTurn | null }> {
    let pending: PendingTurn | null = null;
    const writing = retryDeadlock(() =>
      keyed(this.dataSource, ctx, async (manager): Promise<Reply> => {
        pending = await this.add(manager, asked);
        return replyOf(pending);
      }),
    );
    const reply = await writing.catch((error: unknown): Reply => {
      if (!(error instanceof RefusedError)) throw error;
      pending = null;
      return refuse(error.fault);
    });
    return { reply, pending };
  }

  /**
   * Writes a question in the caller's transaction. Throws RefusedError if a daily limit or a budget
   * refuses it: then the transaction must be rolled back.
   */
  async add(manager: EntityManager, asked: NewQuestion): Promise<PendingTurn> {
    const { scope, threadSlug, conversation, replaces } = asked;
    if (!(await isWithinDailyLimit(manager, scope.principal))) {
      if (threadSlug !== null && (await this.threads.find(scope, threadSlug, manager)) === null)
        throw threadNotFound();
      throw new RefusedError({
        code: "generation.daily-limit",
        params: { limit: findDailyLimit(scope.principal)! },
      });
    }
    const threadId =
      conversation === null
        ? await this.threads.lock(manager, scope, threadSlug)
        : await this.threads.lockConversation(manager, scope, conversation);
    if (threadId === null) throw threadNotFound();
    const branch =
      replaces === null ? null : await this.branches.replace(manager, scope, threadId, replaces);
    const stopped =
      branch === null
        ? noStoppedGenerations
        : await this.stopper.stopTurns(manager, scope, branch.parked);
    const question =
      replaces === null ? asked : await this.completeVersion(manager, threadId, replaces, asked);
    const kept = await readKeptSteps(manager, asked);
    const started = await this.starts.startLocked(manager, question, branch);
    if (typeof started === "string") throw new RefusedError({ code: `budget.${started}-used` });
    await keepSteps(manager, started.generation.turnId, kept);
    return { ...started, stopped };
  }

  /** An edit or a retry keeps the choices made for the question, and the images that came with it. */
  private async completeVersion(
    manager: EntityManager,
    threadId: number,
    replaces: number,
    asked: NewQuestion,
  ): Promise<NewQuestion> {
    return {
      ...asked,
      ...(asked.fromStep !== null && (await this.sameRun(manager, asked.scope, replaces))),
      overrides:
        asked.overrides ??
        (await this.generations.findQuestionChoices(manager, threadId, replaces)),
      attachments:
        asked.attachments.length === 0 || asked.fromStep !== null
          ? await this.turns.findAttachments(manager, threadId, replaces)
          : asked.attachments,
    };
  }

  /** The question as it was put to the agent. A run that goes on may still add steps. */
  private async sameRun(
    manager: EntityManager,
    scope: WorkspaceScope,
    turnId: number,
  ): Promise<Pick<NewQuestion, "question" | "agentCall" | "requestedMode">> {
    const turn = await this.turns.findOwn(scope, turnId, manager);
    if (turn === null || turn.state === "queued" || turn.state === "running")
      throw new CarrelError("turn.step-not-found");
    const { question, agentCall } = turn;
    return { question, agentCall, requestedMode: "automatic" };
  }
}

/**
 * Returns how many questions this principal may ask in 24 hours; null is unlimited, as for every
 * admin and API key.
 */
export function findDailyLimit(principal: Principal): number | null {
  return principal.role === "admin" || principal.userId === null
    ? null
    : (principal.dailyMessageLimit ?? null);
}

/**
 * Whether this account may ask one more question, across all workspaces. Its other questions wait
 * until the transaction ends, so that concurrent ones can't both pass. Deleting a turn doesn't reset
 * the count.
 */
async function isWithinDailyLimit(manager: EntityManager, principal: Principal): Promise<boolean> {
  const limit = findDailyLimit(principal);
  if (limit === null) return true;
  await manager.query(`SELECT pg_advisory_xact_lock(hashtext('daily limit'), $1)`, [
    principal.userId,
  ]);
  // A separate statement, so that its snapshot is taken after the wait.
  const [row] = await queryRows<{ asked: number }>(
    manager,
    `SELECT count(*)::int AS asked FROM chat.question WHERE user_id = $1 AND asked_at > now() - interval '24 hours'`,
    [principal.userId],
  );
  return row!.asked < limit;
}

const refuse = (fault: KnownFault): Reply => ({
  generationId: null,
  chatId: null,
  queued: false,
  frames: abortFrames(randomUUID(), fault),
});

export const replyOf = ({ generation: { id, turnId }, isRunning }: StartedGeneration): Reply => ({
  generationId: id,
  chatId: turnId,
  queued: !isRunning,
  frames: [],
});
