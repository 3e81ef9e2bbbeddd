import { webhooksChanged, type EventPayload } from "@carrel/contracts";
import { Consume } from "@carrel/messaging";
import { Injectable, Module } from "@nestjs/common";
import { DataSource } from "typeorm";

/** Notes which events webhooks want; the triggers of this schema record no others. */
@Injectable()
class WebhookInterestConsumer {
  constructor(private readonly dataSource: DataSource) {}

  @Consume(webhooksChanged)
  async note({ version, events }: EventPayload<typeof webhooksChanged>): Promise<void> {
    await this.dataSource.query(
      `UPDATE chat.webhook_interest SET version = $1, events = $2 WHERE version < $1`,
      [version, events],
    );
  }
}

@Module({ providers: [WebhookInterestConsumer] })
export class WebhookModule {}
