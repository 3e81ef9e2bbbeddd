import { Module } from "@nestjs/common";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { GenerationModule } from "../generation/generation.module.ts";
import { UsageModule } from "../usage/usage.module.ts";
import { RefusalReconciler } from "./refusal.reconciler.ts";
import { WidgetChatDeletion } from "./widget-chat-deletion.ts";
import { WidgetChatHandler } from "./widget-chat.handler.ts";
import { WidgetChatRepository } from "./widget-chat.repository.ts";
import { WidgetDeletedConsumer } from "./widget-deleted.consumer.ts";
import { WidgetOrphanReconciler } from "./widget-orphan.reconciler.ts";
import { WidgetSessionRepository } from "./widget-session.repository.ts";
import { WidgetUsageRepository } from "./widget-usage.repository.ts";

@Module({
  imports: [EventLogModule, GenerationModule, UsageModule],
  controllers: [WidgetChatHandler],
  providers: [
    RefusalReconciler,
    WidgetChatDeletion,
    WidgetChatRepository,
    WidgetDeletedConsumer,
    WidgetOrphanReconciler,
    WidgetSessionRepository,
    WidgetUsageRepository,
  ],
})
export class WidgetModule {}
