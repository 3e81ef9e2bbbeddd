import { deliverWebhook, type FaultWire, type Scope } from "@carrel/contracts";
import { Outbox, jobMessage, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { requireService } from "../access/workspace-rights.ts";
import { WebhookDelivery } from "./webhook-delivery.entity.ts";
import { requireAdmin } from "./webhook.repository.ts";

export interface NewDelivery {
  webhookId: number;
  eventId: string;
  event: string;
  payload: string;
}
export type StoredDelivery = Pick<WebhookDelivery, "id" | "webhookId" | "version">;

/** The outcome of an attempt. */
export interface Attempt {
  state: WebhookDelivery["state"];
  status: number | null;
  fault: FaultWire | null;
  reply: string;
  milliseconds: number;
  /** Time until the next attempt; null if there is none. */
  delayMs: number | null;
}

/** Position in the list, newest first. */
export interface DeliveryCursor {
  createdAt: string;
  id: string;
}

@Injectable()
export class WebhookDeliveryRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores deliveries that don't exist yet and returns them. */
  async create(manager: EntityManager, deliveries: NewDelivery[]): Promise<StoredDelivery[]> {
    return manager.query<StoredDelivery[]>(
      `INSERT INTO workspace.webhook_delivery (webhook_id, event_id, event, payload)
      SELECT * FROM unnest($1::int[], $2::uuid[], $3::text[], $4::text[])
      ON CONFLICT (webhook_id, event_id) DO NOTHING
      RETURNING id, webhook_id AS "webhookId", version`,
      [
        deliveries.map(({ webhookId }) => webhookId),
        deliveries.map(({ eventId }) => eventId),
        deliveries.map(({ event }) => event),
        deliveries.map(({ payload }) => payload),
      ],
    );
  }

  find(scope: Scope, id: string): Promise<WebhookDelivery | null> {
    requireService(scope);
    return this.dataSource.manager.findOneBy(WebhookDelivery, { id });
  }

  /** Newest first. */
  list(
    scope: Scope,
    webhookId: number,
    page: {
      state: WebhookDelivery["state"] | undefined;
      after: DeliveryCursor | null;
      limit: number;
    },
  ): Promise<WebhookDelivery[]> {
    requireAdmin(scope);
    const query = this.dataSource.manager
      .createQueryBuilder(WebhookDelivery, "delivery")
      .where("delivery.webhookId = :webhookId", { webhookId })
      .orderBy("delivery.createdAt", "DESC")
      .addOrderBy("delivery.id", "DESC")
      .take(page.limit);
    if (page.state !== undefined) query.andWhere("delivery.state = :state", { state: page.state });
    if (page.after !== null)
      query.andWhere(
        "(delivery.createdAt, delivery.id) < (:createdAt::timestamptz, :id::uuid)",
        page.after,
      );
    return query.getMany();
  }

  /** Saves an attempt unless the delivery was changed meanwhile. Returns its new version or null. */
  async saveAttempt(
    scope: Scope,
    manager: EntityManager,
    { id, version }: StoredDelivery,
    attempt: Attempt,
  ): Promise<number | null> {
    requireService(scope);
    const [rows] = await manager.query<[{ version: number }[], number]>(
      `UPDATE workspace.webhook_delivery SET state = $3, status = $4, fault = $5, reply = $6,
        milliseconds = $7, attempts = attempts + 1, total_attempts = total_attempts + 1,
        version = version + 1, next_attempt_at = now() + make_interval(secs => $8::float8 / 1000),
        finished_at = CASE WHEN $3 <> 'pending' THEN now() END
      WHERE id = $1 AND version = $2 AND state = 'pending'
      RETURNING version`,
      [
        id,
        version,
        attempt.state,
        attempt.status,
        attempt.fault === null ? null : JSON.stringify(attempt.fault),
        attempt.reply,
        attempt.milliseconds,
        attempt.delayMs,
      ],
    );
    return rows[0]?.version ?? null;
  }

  /** Makes a delivery due now. Returns null if the webhook has no such delivery. */
  async replay(
    scope: Scope,
    manager: EntityManager,
    webhookId: number,
    id: string,
  ): Promise<StoredDelivery | null> {
    requireAdmin(scope);
    const [rows] = await manager.query<[StoredDelivery[], number]>(
      `UPDATE workspace.webhook_delivery SET state = 'pending', attempts = 0,
        version = version + 1, next_attempt_at = now(), finished_at = NULL
      WHERE id = $1 AND webhook_id = $2
      RETURNING id, webhook_id AS "webhookId", version`,
      [id, webhookId],
    );
    return rows[0] ?? null;
  }

  /** Deliveries whose attempt should have begun a while ago. */
  listDue(): Promise<StoredDelivery[]> {
    return this.dataSource.query<StoredDelivery[]>(
      `SELECT id, webhook_id AS "webhookId", version FROM workspace.webhook_delivery
      WHERE state = 'pending' AND next_attempt_at < now() - interval '5 seconds'
      ORDER BY next_attempt_at LIMIT 1000`,
    );
  }

  async prune(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM workspace.webhook_delivery WHERE created_at < now() - interval '30 days'`,
    );
  }
}

export const deliveryJob = (
  { id, webhookId, version }: StoredDelivery,
  delayMs?: number,
): OutboxMessage =>
  jobMessage(deliverWebhook, {
    rowId: id,
    version,
    payload: { deliveryId: id, webhookId },
    ...(delayMs !== undefined && { delayMs }),
  });

/** Queues deliveries in the transaction that causes them. */
@Injectable()
export class WebhookDeliveries {
  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly outbox: Outbox,
  ) {}

  async add(manager: EntityManager, deliveries: NewDelivery[]): Promise<StoredDelivery[]> {
    const stored = await this.deliveries.create(manager, deliveries);
    await this.queue(manager, stored);
    return stored;
  }

  queue(manager: EntityManager, deliveries: StoredDelivery[], delayMs?: number): Promise<void> {
    return this.outbox.add(manager, ...deliveries.map((each) => deliveryJob(each, delayMs)));
  }
}
