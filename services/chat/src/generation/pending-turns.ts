import { randomUUID } from "node:crypto";
import { Injectable } from "@nestjs/common";
import type {
  AnswerOverrides,
  Conversation,
  KnownFault,
  Out,
  startGeneration,
  WorkspaceScope,
} from "@carrel/contracts";
import { keyed, type RequestContext } from "@carrel/messaging";
import { DataSource, type EntityManager } from "typeorm";
import { retryDeadlock } from "../database/in-transaction.ts";
import { Budgets, BudgetUsedError } from "../budget/budgets.ts";
import type { QuestionEstimate } from "../budget/question-estimate.ts";
import { readThreadModelChoice } from "../model/thread-model-choice.ts";
import { threadNotFound } from "../thread/resolve-thread.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { TurnBranches } from "../turn/turn-branches.ts";
import type { Attachment } from "../turn/turn.entity.ts";
import { TurnRepository } from "../turn/turn.repository.ts";
import { countQuestion, findDailyLimit } from "./daily-limit.ts";
import { abortFrames } from "./frames.ts";
import {
  GenerationStopper,
  noStoppedGenerations,
  type StoppedGenerations,
} from "./generation-stopper.ts";
import { GenerationRepository } from "./generation.repository.ts";
import type { RunnableGeneration } from "./runnable-generation.ts";

type Reply = Out<typeof startGeneration>;

export interface NewQuestion {
  scope: WorkspaceScope;
  threadSlug: string | null;
  /** Replaces `threadSlug`. */
  conversation: Conversation | null;
  question: string;
  attachments: Attachment[];
  /** The turn that this question edits or retries. */
  replaces: number | null;
  requestedMode: "chat" | "query" | null;
  overrides: AnswerOverrides | null;
  timeZone: string | null;
  locale: string | null;
  estimate: QuestionEstimate;
}
export interface PendingTurn {
  generation: RunnableGeneration;
  isRunning: boolean;
  /** Runs that the question replaces; to be ended after the commit. */
  stopped: StoppedGenerations;
}

/** Stores questions before anything else happens with them. */
@Injectable()
export class PendingTurns {
  constructor(
    private readonly dataSource: DataSource,
    private readonly threads: ThreadRepository,
    private readonly turns: TurnRepository,
    private readonly branches: TurnBranches,
    private readonly generations: GenerationRepository,
    private readonly stopper: GenerationStopper,
    private readonly budgets: Budgets,
  ) {}

  /**
   * Writes a question under its request's key, unless a daily limit or a budget refuses it. `pending` is null
   * if it was refused or had been written before.
   */
  async write(
    ctx: RequestContext,
    o: NewQuestion,
    mayRun: boolean,
  ): Promise<{ reply: Reply; pending: PendingTurn | null }> {
    let pending: PendingTurn | null = null;
    const writing = retryDeadlock(() =>
      keyed(this.dataSource, ctx, async (manager): Promise<Reply> => {
        const { scope, threadSlug } = o;
        if (!(await countQuestion(manager, scope.principal))) {
          if (threadSlug !== null && (await this.threads.find(scope, threadSlug, manager)) === null)
            throw threadNotFound();
          return refuse({
            code: "generation.daily-limit",
            params: { limit: findDailyLimit(scope.principal)! },
          });
        }
        pending = await this.create(manager, o, mayRun);
        return replyOf(pending.generation, pending.isRunning);
      }),
    );
    // Nothing is written, so a repeated request is checked again.
    const reply = await writing.catch((error: unknown): Reply => {
      if (!(error instanceof BudgetUsedError)) throw error;
      pending = null;
      return refuse(error.fault);
    });
    return { reply, pending };
  }

  /** @param mayRun whether this replica has a free slot; otherwise the question is queued */
  private async create(
    manager: EntityManager,
    o: NewQuestion,
    mayRun: boolean,
  ): Promise<PendingTurn> {
    const { scope, replaces } = o;
    const threadId =
      o.conversation === null
        ? await this.threads.lock(manager, scope, o.threadSlug)
        : await this.threads.lockConversation(manager, scope, o.conversation);
    if (threadId === null) throw threadNotFound();
    const id = randomUUID();
    const overrides =
      o.overrides ??
      (replaces === null
        ? null
        : await this.generations.findQuestionChoices(manager, threadId, replaces));
    const choices = await this.threads.findChoices(manager, threadId);
    const modelChoice = readThreadModelChoice(choices);
    await this.budgets.admit(manager, {
      generationId: id,
      scope,
      estimate: o.estimate,
      hasOwnModel: modelChoice !== null || overrides?.modelChoice != null,
    });
    const branch =
      replaces === null ? null : await this.branches.replace(manager, scope, threadId, replaces);
    const stopped =
      branch === null
        ? noStoppedGenerations
        : await this.stopper.stopTurns(manager, scope, branch.parked);
    const pending = {
      id,
      threadId,
      channel: o.conversation?.channel ?? null,
      scope,
      overrides,
      question: o.question,
      // An edit or a retry keeps the images that came with the question.
      attachments:
        replaces !== null && o.attachments.length === 0
          ? await this.turns.findAttachments(manager, threadId, replaces)
          : o.attachments,
      requestedMode: o.requestedMode,
      modelChoice,
      parameters: choices?.answer_parameters ?? null,
      timeZone: o.timeZone,
      locale: o.locale,
    };
    const { turnId, running } = await this.generations.insertPending(manager, {
      ...pending,
      mayRun,
      parentId: branch?.parentId,
    });
    return {
      generation: {
        ...pending,
        turnId,
        notices: [],
        search: null,
        fullTexts: null,
        history: null,
      },
      isRunning: running,
      stopped,
    };
  }
}

const refuse = (fault: KnownFault): Reply => ({
  generationId: null,
  chatId: null,
  queued: false,
  frames: abortFrames(randomUUID(), fault),
});

export const replyOf = ({ id, turnId }: RunnableGeneration, isRunning: boolean): Reply => ({
  generationId: id,
  chatId: turnId,
  queued: !isRunning,
  frames: [],
});
