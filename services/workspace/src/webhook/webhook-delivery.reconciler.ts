import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { deliveryJob } from "./webhook-deliveries.ts";
import { WebhookDeliveryRepository } from "./webhook-delivery.repository.ts";

const hourMs = 3_600_000;

/** Queues overdue deliveries again, and deletes old ones. */
@Injectable()
export class WebhookDeliveryReconciler extends Reconciler {
  private lastPrune = 0;

  constructor(private readonly deliveries: WebhookDeliveryRepository) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    if (Date.now() - this.lastPrune > hourMs) {
      this.lastPrune = Date.now();
      await this.deliveries.prune();
    }
    return (await this.deliveries.listDue()).map((delivery) => deliveryJob(delivery));
  }
}
