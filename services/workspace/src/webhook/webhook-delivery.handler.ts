import {
  CarrelError,
  cursorTime,
  cutPage,
  listDeliveries,
  readCursor,
  replayDelivery,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { z } from "zod";
import { WebhookDeliveries } from "./webhook-deliveries.ts";
import { WebhookDeliveryRepository, type DeliveryCursor } from "./webhook-delivery.repository.ts";
import { mapDelivery } from "./webhook.mapper.ts";
import { WebhookRepository } from "./webhook.repository.ts";

const place = z.tuple([cursorTime, z.uuid()]);

@Controller()
export class WebhookDeliveryHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly queue: WebhookDeliveries,
  ) {}

  @Handle(listDeliveries)
  async list(
    { id, state, cursor, limit }: In<typeof listDeliveries>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listDeliveries>> {
    if ((await this.webhooks.find(scope, id)) === null) throw new CarrelError("webhook.not-found");
    const after = cursor === undefined ? null : readPlace(cursor);
    const found = await this.deliveries.list(scope, id, { state, after, limit: limit + 1 });
    const { page, nextCursor } = cutPage(found, limit, (row) => [
      row.createdAt.toISOString(),
      row.id,
    ]);
    return { deliveries: page.map(mapDelivery), nextCursor };
  }

  @Handle(replayDelivery)
  async replay(
    { id, deliveryId }: In<typeof replayDelivery>,
    { scope }: RequestContext,
  ): Promise<Out<typeof replayDelivery>> {
    await this.dataSource.transaction(async (manager) => {
      const delivery = await this.deliveries.replay(scope, manager, id, deliveryId);
      if (delivery === null) throw new CarrelError("webhook.delivery-not-found");
      await this.queue.queue(manager, [delivery]);
    });
    return { success: true };
  }
}

function readPlace(cursor: string): DeliveryCursor {
  const [createdAt, id] = readCursor(place, cursor);
  return { createdAt, id };
}
