import {
  CarrelError,
  type DeliveryWire,
  type Scope,
  type WebhookEvent,
  type WebhookWire,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { requireService } from "../access/workspace-rights.ts";
import type { WebhookDelivery } from "./webhook-delivery.entity.ts";
import { Webhook } from "./webhook.entity.ts";

export type NewestDelivery = Pick<WebhookDelivery, "webhookId" | "state" | "createdAt">;

export const mapWebhook = (
  webhook: Webhook,
  url: string,
  newest: NewestDelivery | undefined,
): WebhookWire => ({
  id: webhook.id,
  url,
  description: webhook.description,
  events: webhook.events,
  workspaceIds: webhook.workspaceIds,
  enabled: webhook.enabled,
  createdAt: webhook.createdAt.toISOString(),
  lastDelivery:
    newest === undefined ? null : { state: newest.state, at: newest.createdAt.toISOString() },
});

export const mapDelivery = (delivery: WebhookDelivery): DeliveryWire => ({
  id: delivery.id,
  event: delivery.event,
  state: delivery.state,
  attempts: delivery.totalAttempts,
  status: delivery.status,
  fault: delivery.fault,
  reply: delivery.reply,
  milliseconds: delivery.milliseconds,
  payload: delivery.payload,
  createdAt: delivery.createdAt.toISOString(),
  nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
  finishedAt: delivery.finishedAt?.toISOString() ?? null,
});

export type WebhookFields = Pick<
  Webhook,
  "sealedUrl" | "description" | "events" | "workspaceIds" | "enabled"
>;

/** Enough for any instance, and few enough for one reply. */
const maxWebhooks = 100;

/** Repeats the operations' policy. */
export function requireAdmin({ principal }: Scope): void {
  if (principal.role !== "admin" && principal.kind !== "key")
    throw new CarrelError("access.forbidden");
}

@Injectable()
export class WebhookRepository {
  constructor(private readonly dataSource: DataSource) {}

  list(scope: Scope): Promise<Webhook[]> {
    requireAdmin(scope);
    return this.dataSource.manager.find(Webhook, { order: { id: "ASC" } });
  }

  find(scope: Scope, id: number, manager = this.dataSource.manager): Promise<Webhook | null> {
    requireAdmin(scope);
    return manager.findOneBy(Webhook, { id });
  }

  /** Lists the webhooks that want an event of a workspace. */
  async listWanting(scope: Scope, event: WebhookEvent, workspaceId: number): Promise<Webhook[]> {
    requireService(scope);
    return this.dataSource.manager
      .createQueryBuilder(Webhook, "webhook")
      .where("webhook.enabled AND :event = ANY (webhook.events)", { event })
      .andWhere("(webhook.workspaceIds IS NULL OR :workspaceId = ANY (webhook.workspaceIds))", {
        workspaceId,
      })
      .getMany();
  }

  /** The newest delivery of each webhook. */
  listNewestDeliveries(scope: Scope): Promise<NewestDelivery[]> {
    requireAdmin(scope);
    return this.dataSource.query<NewestDelivery[]>(
      `SELECT webhook.id AS "webhookId", newest.state, newest.created_at AS "createdAt"
      FROM workspace.webhook
      CROSS JOIN LATERAL (
        SELECT state, created_at FROM workspace.webhook_delivery
        WHERE webhook_id = webhook.id
        ORDER BY created_at DESC, id DESC LIMIT 1
      ) newest`,
    );
  }

  async create(
    scope: Scope,
    manager: EntityManager,
    fields: WebhookFields & { sealedSecret: string },
  ): Promise<Webhook> {
    requireAdmin(scope);
    await manager.query("LOCK TABLE workspace.webhook IN SHARE ROW EXCLUSIVE MODE");
    if ((await manager.count(Webhook)) >= maxWebhooks)
      throw new CarrelError("webhook.too-many", { limit: maxWebhooks });
    return manager.save(manager.create(Webhook, fields));
  }

  /** Returns false if there is no such webhook. */
  async update(
    scope: Scope,
    manager: EntityManager,
    id: number,
    fields: Partial<WebhookFields & { sealedSecret: string }>,
  ): Promise<boolean> {
    requireAdmin(scope);
    const { affected } = await manager.update(Webhook, id, { ...fields, updatedAt: new Date() });
    return affected === 1;
  }

  async delete(scope: Scope, manager: EntityManager, id: number): Promise<boolean> {
    requireAdmin(scope);
    return (await manager.delete(Webhook, id)).affected === 1;
  }

  /** The events that any webhook wants, numbered in the order of the changes. */
  async listWanted(manager: EntityManager): Promise<{ version: number; events: WebhookEvent[] }> {
    // Another change waits here until this one commits, so a higher version has seen it.
    await manager.query("LOCK TABLE workspace.webhook IN SHARE ROW EXCLUSIVE MODE");
    const [row] = await manager.query<{ version: string; events: WebhookEvent[] }[]>(
      `SELECT nextval('workspace.webhook_version') AS version,
        ARRAY(
          SELECT DISTINCT event FROM workspace.webhook, unnest(events) AS event
          WHERE enabled ORDER BY event
        ) AS events`,
    );
    return { version: Number(row!.version), events: row!.events };
  }
}
