import { CarrelError, listDeliveries, replayDelivery, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { z } from "zod";
import { WebhookDeliveries } from "./webhook-deliveries.ts";
import { WebhookDeliveryRepository, type DeliveryCursor } from "./webhook-delivery.repository.ts";
import { mapDelivery } from "./webhook.mapper.ts";
import { WebhookRepository } from "./webhook.repository.ts";

/** PostgreSQL has no year 0. */
const instant = z.iso.datetime().refine((at) => at >= "1900");
const cursorShape = z.tuple([instant, z.uuid()]);

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
    const after = cursor === undefined ? null : readCursor(cursor);
    const found = await this.deliveries.list(scope, id, { state, after, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      deliveries: page.map(mapDelivery),
      nextCursor:
        found.length > limit && last !== undefined
          ? writeCursor({ createdAt: last.createdAt.toISOString(), id: last.id })
          : null,
    };
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

const writeCursor = ({ createdAt, id }: DeliveryCursor): string =>
  Buffer.from(JSON.stringify([createdAt, id])).toString("base64url");

function readCursor(text: string): DeliveryCursor {
  try {
    const [createdAt, id] = cursorShape.parse(
      JSON.parse(Buffer.from(text, "base64url").toString("utf8")),
    );
    return { createdAt, id };
  } catch {
    throw new CarrelError("request.cursor-invalid");
  }
}
