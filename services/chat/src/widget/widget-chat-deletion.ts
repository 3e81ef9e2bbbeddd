import type { Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { inTransaction } from "../database/in-transaction.ts";
import { EventLog } from "../event-log/event-log.ts";
import { GenerationStopper } from "../generation/generation-stopper.ts";
import { WidgetChatRepository } from "./widget-chat.repository.ts";

/** Threads per transaction, to keep locks short. */
const batch = 200;

/** Deletes the conversations of a widget and stops what runs in them. */
@Injectable()
export class WidgetChatDeletion {
  constructor(
    private readonly dataSource: DataSource,
    private readonly chats: WidgetChatRepository,
    private readonly stopper: GenerationStopper,
    private readonly events: EventLog,
  ) {}

  /** Does nothing if there is no such chat. */
  async deleteChat(scope: Scope, chatId: number): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const embedId = await this.chats.deleteChat(manager, chatId);
      if (embedId !== null)
        await this.events.record(manager, scope, "deleted_chats", { embedId, chatId, chats: 1 });
    });
  }

  deleteSession(scope: Scope, embedId: number, sessionId: string): Promise<void> {
    return this.delete(embedId, sessionId, (manager, chats) =>
      this.events.record(manager, scope, "deleted_chats", { embedId, sessionId, chats }),
    );
  }

  deleteAll(widgetId: number): Promise<void> {
    return this.delete(widgetId, null, () => Promise.resolve());
  }

  private async delete(
    widgetId: number,
    sessionId: string | null,
    record: (manager: EntityManager, chats: number) => Promise<void>,
  ): Promise<void> {
    for (const [workspaceId, ids] of await this.chats.listThreads(widgetId, sessionId))
      for (let from = 0; from < ids.length; from += batch) {
        const threadIds = ids.slice(from, from + batch);
        const stopped = await inTransaction(this.dataSource, async (manager) => {
          const stopped = await this.stopper.stopAll({ workspaceId, threadIds }, manager);
          const chats = await this.chats.deleteThreads(manager, threadIds);
          await record(manager, chats);
          return stopped;
        });
        await this.stopper.endDeleted(stopped);
      }
  }
}
