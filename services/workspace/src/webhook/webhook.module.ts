import { Module } from "@nestjs/common";
import { EventModule } from "../event/event.module.ts";
import { WorkspaceModule } from "../workspace/workspace.module.ts";
import { WebhookDeliveries } from "./webhook-deliveries.ts";
import { WebhookDeliveryHandler } from "./webhook-delivery.handler.ts";
import { WebhookDeliveryJob } from "./webhook-delivery.job.ts";
import { WebhookDeliveryReconciler } from "./webhook-delivery.reconciler.ts";
import { WebhookDeliveryRepository } from "./webhook-delivery.repository.ts";
import { WebhookEventConsumer } from "./webhook-event.consumer.ts";
import { WebhookHandler } from "./webhook.handler.ts";
import { WebhookRepository } from "./webhook.repository.ts";

@Module({
  imports: [EventModule, WorkspaceModule],
  controllers: [WebhookDeliveryHandler, WebhookHandler],
  providers: [
    WebhookDeliveries,
    WebhookDeliveryJob,
    WebhookDeliveryReconciler,
    WebhookDeliveryRepository,
    WebhookEventConsumer,
    WebhookRepository,
  ],
})
export class WebhookModule {}
