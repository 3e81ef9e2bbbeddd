import { Module } from "@nestjs/common";
import { WebhookInterestConsumer } from "./webhook-interest.consumer.ts";

@Module({ providers: [WebhookInterestConsumer] })
export class WebhookModule {}
