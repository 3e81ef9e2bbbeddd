import { Injectable } from "@nestjs/common";
import { widgetDeleted, type EventPayload } from "@carrel/contracts";
import { Consume } from "@carrel/messaging";
import { WidgetChatDeletion } from "./widget-chat-deletion.ts";

/** Idempotent. */
@Injectable()
export class WidgetDeletedConsumer {
  constructor(private readonly deletion: WidgetChatDeletion) {}

  @Consume(widgetDeleted)
  async delete({ widgetId }: EventPayload<typeof widgetDeleted>): Promise<void> {
    await this.deletion.deleteAll(widgetId);
  }
}
