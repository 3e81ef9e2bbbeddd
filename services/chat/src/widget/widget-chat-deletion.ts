import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { inTransaction } from "../database/in-transaction.ts";
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
  ) {}

  /** Those of one session, or null: all. */
  async delete(widgetId: number, sessionId: string | null): Promise<void> {
    for (const [workspaceId, ids] of await this.chats.listThreads(widgetId, sessionId))
      for (let from = 0; from < ids.length; from += batch) {
        const threadIds = ids.slice(from, from + batch);
        const stopped = await inTransaction(this.dataSource, async (manager) => {
          const stopped = await this.stopper.stopAll({ workspaceId, threadIds }, manager);
          await this.chats.deleteThreads(manager, threadIds);
          return stopped;
        });
        await this.stopper.endDeleted(stopped);
      }
  }
}
