import { randomUUID } from "node:crypto";
import { Injectable } from "@nestjs/common";
import type { Out, startGeneration, WorkspaceScope } from "@carrel/contracts";
import { keyed, type RequestContext } from "@carrel/messaging";
import { DataSource, type EntityManager } from "typeorm";
import { retryDeadlock } from "../database/in-transaction.ts";
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
  question: string;
  attachments: Attachment[];
  /** The turn that this question edits or retries. */
  replaces: number | null;
  requestedMode: "chat" | "query" | null;
  timeZone: string | null;
  locale: string | null;
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
  ) {}

  /**
   * Writes a question under its request's key, unless a daily limit refuses it. `pending` is null
   * if it was refused or had been written before.
   */
  async write(
    ctx: RequestContext,
    o: NewQuestion,
    mayRun: boolean,
  ): Promise<{ reply: Reply; pending: PendingTurn | null }> {
    let pending: PendingTurn | null = null;
    const reply = await retryDeadlock(() =>
      keyed(this.dataSource, ctx, async (manager): Promise<Reply> => {
        const { scope, threadSlug } = o;
        if (!(await countQuestion(manager, scope.principal))) {
          if (threadSlug !== null && (await this.threads.find(scope, threadSlug, manager)) === null)
            throw threadNotFound();
          const frames = abortFrames(randomUUID(), {
            code: "generation.daily-limit",
            params: { limit: findDailyLimit(scope.principal)! },
          });
          return { generationId: null, chatId: null, queued: false, frames };
        }
        pending = await this.create(manager, o, mayRun);
        return replyOf(pending.generation, pending.isRunning);
      }),
    );
    return { reply, pending };
  }

  /** @param mayRun whether this replica has a free slot; otherwise the question is queued */
  private async create(
    manager: EntityManager,
    o: NewQuestion,
    mayRun: boolean,
  ): Promise<PendingTurn> {
    const { scope, replaces } = o;
    const threadId = await this.threads.lock(manager, scope, o.threadSlug);
    if (threadId === null) throw threadNotFound();
    const branch =
      replaces === null ? null : await this.branches.replace(manager, scope, threadId, replaces);
    const stopped =
      branch === null
        ? noStoppedGenerations
        : await this.stopper.stopTurns(manager, scope, branch.parked);
    const pending = {
      id: randomUUID(),
      threadId,
      scope,
      question: o.question,
      // An edit or a retry keeps the images that came with the question.
      attachments:
        replaces !== null && o.attachments.length === 0
          ? await this.turns.findAttachments(manager, threadId, replaces)
          : o.attachments,
      requestedMode: o.requestedMode,
      modelChoice: readThreadModelChoice(await this.threads.findModelChoice(manager, threadId)),
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

export const replyOf = ({ id, turnId }: RunnableGeneration, isRunning: boolean): Reply => ({
  generationId: id,
  chatId: turnId,
  queued: !isRunning,
  frames: [],
});
