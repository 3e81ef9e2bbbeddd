import { randomUUID } from "node:crypto";
import {
  CarrelError,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  webhookTestEvent,
  webhooksChanged,
  type In,
  type Out,
  type Scope,
  type WebhookWire,
} from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { isMetadataHost } from "@carrel/egress";
import { Handle, Outbox, eventMessage, keyed, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { EventLog } from "../event/event.repository.ts";
import { createWebhookSecret } from "./sign-webhook.ts";
import { WebhookDeliveries } from "./webhook-delivery.repository.ts";
import type { Webhook } from "./webhook.entity.ts";
import {
  WebhookRepository,
  mapWebhook,
  type NewestDelivery,
  type WebhookFields,
} from "./webhook.repository.ts";

const notFound = (): CarrelError => new CarrelError("webhook.not-found");

@Controller()
export class WebhookHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: WebhookDeliveries,
    private readonly log: EventLog,
    private readonly outbox: Outbox,
    private readonly secretBox: SecretBox,
  ) {}

  @Handle(listWebhooks)
  async list(
    _input: In<typeof listWebhooks>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listWebhooks>> {
    const [webhooks, newest] = await Promise.all([
      this.webhooks.list(scope),
      this.webhooks.listNewestDeliveries(scope),
    ]);
    const byId = new Map(newest.map((delivery) => [delivery.webhookId, delivery]));
    return { webhooks: webhooks.map((webhook) => this.map(webhook, byId.get(webhook.id))) };
  }

  @Handle(createWebhook)
  async create(
    input: In<typeof createWebhook>,
    ctx: RequestContext,
  ): Promise<Out<typeof createWebhook>> {
    const address = readAddress(input.url);
    const fields = this.readFields(input, address);
    return keyed(
      this.dataSource,
      ctx,
      async (manager) => {
        const secret = createWebhookSecret();
        const webhook = await this.webhooks.create(ctx.scope, manager, {
          ...fields,
          sealedSecret: this.secretBox.seal(secret),
        });
        await this.record(manager, ctx.scope, "webhook_created", { webhook, address });
        return { webhook: this.map(webhook, undefined), secret };
      },
      this.secretBox,
    );
  }

  @Handle(updateWebhook)
  async update(
    { id, ...input }: In<typeof updateWebhook>,
    { scope }: RequestContext,
  ): Promise<Out<typeof updateWebhook>> {
    const address = readAddress(input.url);
    const fields = this.readFields(input, address);
    const webhook = await this.dataSource.transaction(async (manager) => {
      if (!(await this.webhooks.update(scope, manager, id, fields))) throw notFound();
      const updated = (await this.webhooks.find(scope, id, manager))!;
      await this.record(manager, scope, "webhook_updated", { webhook: updated, address });
      return updated;
    });
    const newest = await this.webhooks.listNewestDeliveries(scope);
    return {
      webhook: this.map(
        webhook,
        newest.find(({ webhookId }) => webhookId === id),
      ),
    };
  }

  @Handle(deleteWebhook)
  async delete(
    { id }: In<typeof deleteWebhook>,
    { scope }: RequestContext,
  ): Promise<Out<typeof deleteWebhook>> {
    await this.dataSource.transaction(async (manager) => {
      const webhook = await this.webhooks.find(scope, id, manager);
      if (webhook === null || !(await this.webhooks.delete(scope, manager, id))) throw notFound();
      await this.record(manager, scope, "webhook_deleted", { webhook });
    });
    return { success: true };
  }

  @Handle(rotateWebhookSecret)
  async rotateSecret(
    { id }: In<typeof rotateWebhookSecret>,
    ctx: RequestContext,
  ): Promise<Out<typeof rotateWebhookSecret>> {
    return keyed(
      this.dataSource,
      ctx,
      async (manager) => {
        const secret = createWebhookSecret();
        const sealedSecret = this.secretBox.seal(secret);
        if (!(await this.webhooks.update(ctx.scope, manager, id, { sealedSecret })))
          throw notFound();
        await this.log.record(manager, ctx.scope, "webhook_secret_rotated", { webhookId: id });
        return { secret };
      },
      this.secretBox,
    );
  }

  @Handle(testWebhook)
  async test(
    { id }: In<typeof testWebhook>,
    ctx: RequestContext,
  ): Promise<Out<typeof testWebhook>> {
    return keyed(this.dataSource, ctx, async (manager) => {
      const webhook = await this.webhooks.find(ctx.scope, id, manager);
      if (webhook === null) throw notFound();
      if (!webhook.enabled) throw new CarrelError("webhook.disabled");
      const eventId = randomUUID();
      const payload = JSON.stringify({
        id: eventId,
        type: webhookTestEvent,
        timestamp: new Date().toISOString(),
        data: {},
      });
      const [delivery] = await this.deliveries.add(manager, [
        { webhookId: id, eventId, event: webhookTestEvent, payload },
      ]);
      return { deliveryId: delivery!.id };
    });
  }

  /** Also tells chat and ingest which events to record from now on. */
  private async record(
    manager: EntityManager,
    scope: Scope,
    event: string,
    { webhook, address }: { webhook: Webhook; address?: URL },
  ): Promise<void> {
    const { id, description, events, workspaceIds, enabled } = webhook;
    await this.log.record(manager, scope, event, {
      webhookId: id,
      // Never the whole address: it may hold a secret.
      ...(address !== undefined && { origin: address.origin }),
      description,
      events,
      workspaceIds,
      enabled,
    });
    await this.outbox.add(
      manager,
      eventMessage(webhooksChanged, await this.webhooks.listWanted(manager)),
    );
  }

  private map(webhook: Webhook, newest: NewestDelivery | undefined): WebhookWire {
    return mapWebhook(webhook, this.secretBox.open(webhook.sealedUrl), newest);
  }

  private readFields(
    { description, events, workspaceIds, enabled }: In<typeof createWebhook>,
    { href }: URL,
  ): WebhookFields {
    return {
      sealedUrl: this.secretBox.seal(href),
      description: description.trim(),
      events: [...new Set(events)],
      workspaceIds: workspaceIds === null ? null : [...new Set(workspaceIds)],
      enabled,
    };
  }
}

function readAddress(text: string): URL {
  const address = new URL(text);
  if (address.username !== "" || address.password !== "")
    throw new CarrelError("egress.credentials-in-address");
  if (isMetadataHost(address.hostname)) throw new CarrelError("egress.metadata-address");
  return address;
}
