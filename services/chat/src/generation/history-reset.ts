import { randomUUID } from "node:crypto";
import type {
  Conversation,
  In,
  Out,
  resetHistory,
  startGeneration,
  WorkspaceScope,
} from "@carrel/contracts";
import { keyed, type RequestContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { threadNotFound } from "../thread/resolve-thread.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { TurnChanges } from "../turn/turn-changes.ts";
import { TurnRepository } from "../turn/turn.repository.ts";
import { resetFrame } from "./frames.ts";

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
