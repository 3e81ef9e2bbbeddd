import { Module } from "@nestjs/common";
import { GenerationModule } from "../generation/generation.module.ts";
import { WidgetChatDeletion } from "./widget-chat-deletion.ts";
import { WidgetChatHandler } from "./widget-chat.handler.ts";
import { WidgetChatRepository } from "./widget-chat.repository.ts";
import { WidgetDeletedConsumer } from "./widget-deleted.consumer.ts";
import { WidgetOrphanReconciler } from "./widget-orphan.reconciler.ts";
import { WidgetSessionRepository } from "./widget-session.repository.ts";

@Module({
  imports: [GenerationModule],
  controllers: [WidgetChatHandler],
  providers: [
    WidgetChatDeletion,
    WidgetChatRepository,
    WidgetDeletedConsumer,
    WidgetOrphanReconciler,
    WidgetSessionRepository,
  ],
})
export class WidgetModule {}
