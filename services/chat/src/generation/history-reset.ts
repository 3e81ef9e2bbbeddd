import { randomUUID } from "node:crypto";
import { Injectable } from "@nestjs/common";
import type { Out, startGeneration, WorkspaceScope } from "@carrel/contracts";
import { keyed, type RequestContext } from "@carrel/messaging";
import { DataSource } from "typeorm";
import { threadNotFound } from "../thread/resolve-thread.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { TurnChanges } from "../turn/turn-changes.ts";
import { TurnRepository } from "../turn/turn.repository.ts";
import { resetFrame } from "./frames.ts";

/** The command `/reset`: removes a thread's history from view and from prompts. */
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
      threadId = await this.threads.lock(manager, scope, threadSlug);
      if (threadId === null) throw threadNotFound();
      await this.turns.hideAll(manager, scope, threadId);
      const frames = [resetFrame(randomUUID())];
      return { generationId: null, chatId: null, queued: false, frames };
    });
    if (threadId !== null) this.changes.announce(scope, threadId);
    return reply;
  }
}
