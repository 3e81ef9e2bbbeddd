import {
  CarrelError,
  answerFinished,
  cursorTime,
  cutPage,
  documentFinished,
  faultWire,
  listDeliveries,
  readCursor,
  renderFault,
  replayDelivery,
  servicePrincipal,
  syncStopped,
  type EventPayload,
  type In,
  type Out,
  type Scope,
  type WebhookEvent,
  clipText,
  deliverWebhook,
  type FaultWire,
  type JobPayload,
} from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { EgressError, createProviderFetch } from "@carrel/egress";
import {
  Consume,
  Handle,
  Reconciler,
  type OutboxMessage,
  type RequestContext,
  Process,
  type JobContext,
} from "@carrel/messaging";
import { Controller, Injectable, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { z } from "zod";
import { EventModule } from "../event/event.module.ts";
import { WorkspaceModule } from "../workspace/workspace-read.repository.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";
import { signWebhook } from "./sign-webhook.ts";
import type { WebhookDelivery } from "./webhook-delivery.entity.ts";
import {
  WebhookDeliveries,
  WebhookDeliveryRepository,
  deliveryJob,
  type DeliveryCursor,
  type Attempt,
} from "./webhook-delivery.repository.ts";
import type { Webhook } from "./webhook.entity.ts";
import { WebhookHandler } from "./webhook.handler.ts";
import { WebhookRepository, mapDelivery } from "./webhook.repository.ts";

const scope: Scope = { principal: servicePrincipal, workspace: null };

/** Until the reply; receivers should answer first and work later. */
const timeoutMs = 15_000;
const maxReply = 2_000;

interface WebhookReply {
  status: number;
  /** The beginning of the body. */
  reply: string;
}

/**
 * Posts JSON to an address that an admin set: private ones are allowed, metadata services and
 * redirects aren't. Throws EgressError or what fetch throws.
 */
async function postWebhook(
  url: string,
  message: { headers: Record<string, string>; body: string; signal: AbortSignal },
): Promise<WebhookReply> {
  const post = createProviderFetch({ origin: url, timeoutMs, idleTimeoutMs: timeoutMs });
  const response = await post(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "user-agent": "Carrel-Webhook/1",
      connection: "close",
      ...message.headers,
    },
    body: message.body,
    signal: AbortSignal.any([message.signal, AbortSignal.timeout(timeoutMs)]),
  });
  return { status: response.status, reply: await readBeginning(response) };
}

/** A reply may be endless, so the rest is not read; one that breaks off still counts. */
async function readBeginning(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const part = await reader?.read();
      if (part === undefined || part.done) break;
      text += decoder.decode(part.value, { stream: true });
      if (text.length >= maxReply) break;
    }
  } catch {
    // The status is what counts.
  }
  await reader?.cancel().catch(() => undefined);
  return clipText(text, maxReply).replaceAll("\0", "");
}
const [second, minute, hour] = [1_000, 60_000, 3_600_000];
/** Waits between attempts: a receiver may be down for most of a day. */
const delays = [5 * second, 30 * second, 2 * minute, 10 * minute, hour, 4 * hour, 12 * hour];

/** Posts a delivery; after a failure, another attempt follows later. */
@Injectable()
class WebhookDeliveryJob {
  constructor(
    private readonly dataSource: DataSource,
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly queue: WebhookDeliveries,
    private readonly secretBox: SecretBox,
  ) {}

  @Process(deliverWebhook, { concurrency: 8 })
  async run(
    { deliveryId, webhookId }: JobPayload<typeof deliverWebhook>,
    { signal }: JobContext,
  ): Promise<void> {
    const [webhook, delivery] = await Promise.all([
      this.webhooks.find(scope, webhookId),
      this.deliveries.find(scope, deliveryId),
    ]);
    if (webhook === null || delivery?.state !== "pending") return;
    // Another job of the same delivery, from before a replay or an attempt.
    if (delivery.nextAttemptAt !== null && delivery.nextAttemptAt.getTime() > Date.now() + second)
      return;
    const attempt = webhook.enabled
      ? await this.attempt(webhook, delivery, signal)
      : failed({ code: "webhook.disabled" });
    await this.dataSource.transaction(async (manager) => {
      const version = await this.deliveries.saveAttempt(scope, manager, delivery, attempt);
      if (version !== null && attempt.delayMs !== null)
        await this.queue.queue(manager, [{ ...delivery, version }], attempt.delayMs);
    });
  }

  private async attempt(
    webhook: Webhook,
    delivery: WebhookDelivery,
    signal: AbortSignal,
  ): Promise<Attempt> {
    const start = performance.now();
    const url = this.secretBox.open(webhook.sealedUrl);
    const duration = (): number => Math.round(performance.now() - start);
    // A receiver that sends 410 wants no more of these (Standard Webhooks).
    const retry = (isFinal: boolean): Pick<Attempt, "state" | "delayMs"> => {
      const delayMs = isFinal ? null : (delays[delivery.attempts] ?? null);
      return { state: delayMs === null ? "failed" : "pending", delayMs };
    };
    try {
      const { status, reply } = await this.post(url, webhook, delivery, signal);
      const isDelivered = status >= 200 && status < 300;
      return {
        status,
        reply,
        milliseconds: duration(),
        fault: isDelivered ? null : { code: "webhook.refused", params: { status } },
        ...(isDelivered ? { state: "delivered", delayMs: null } : retry(status === 410)),
      };
    } catch (error) {
      signal.throwIfAborted();
      return {
        status: null,
        reply: "",
        milliseconds: duration(),
        fault: describeFault(error, new URL(url).host),
        ...retry(false),
      };
    }
  }

  private post(
    url: string,
    webhook: Webhook,
    { eventId, payload }: WebhookDelivery,
    signal: AbortSignal,
  ): Promise<WebhookReply> {
    const secret = this.secretBox.open(webhook.sealedSecret);
    return postWebhook(url, {
      headers: signWebhook(secret, { id: eventId, at: new Date(), body: payload }),
      body: payload,
      signal,
    });
  }
}

const failed = (fault: FaultWire): Attempt => ({
  state: "failed",
  status: null,
  fault,
  reply: "",
  milliseconds: 0,
  delayMs: null,
});

function describeFault(error: unknown, host: string): FaultWire {
  // `fetch` wraps what connecting throws.
  for (const each of [error, (error as Error | null)?.cause])
    if (each instanceof EgressError) return each.fault;
  if (error instanceof CarrelError) return { code: error.code, params: error.params };
  return error instanceof DOMException && error.name === "TimeoutError"
    ? { code: "egress.timed-out", params: { host } }
    : { code: "egress.unreachable", params: { host } };
}

interface Occurrence {
  id: string;
  event: WebhookEvent;
  workspaceId: number;
  at: string;
  data: Record<string, unknown>;
}

/**
 * Turns events of other services into deliveries. They carry ids, not contents: a receiver fetches
 * what it may see with its API key.
 */
@Injectable()
class WebhookEventConsumer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly webhooks: WebhookRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly deliveries: WebhookDeliveries,
  ) {}

  @Consume(answerFinished)
  answer(event: EventPayload<typeof answerFinished>): Promise<void> {
    const { id, workspaceId, at, chatId, threadSlug, userId, state } = event;
    return this.deliver({
      id,
      event: "answer.finished",
      workspaceId,
      at,
      data: { chatId, threadSlug, userId, state },
    });
  }

  @Consume(documentFinished)
  document(event: EventPayload<typeof documentFinished>): Promise<void> {
    const { id, workspaceId, at, documentId, title, docpath, state, reason } = event;
    return this.deliver({
      id,
      event: state === "ready" ? "document.ready" : "document.failed",
      workspaceId,
      at,
      data: {
        documentId,
        title,
        location: docpath,
        ...(reason !== null && { error: describeReason(reason) }),
      },
    });
  }

  @Consume(syncStopped)
  sync(event: EventPayload<typeof syncStopped>): Promise<void> {
    const { id, workspaceId, at, documentId, connectionId, title, isRemoved, fault } = event;
    return this.deliver({
      id,
      event: "sync.stopped",
      workspaceId,
      at,
      data: {
        documentId,
        sourceId: connectionId,
        title,
        removed: isRemoved,
        error: renderFault(fault),
      },
    });
  }

  private async deliver({ id, event, workspaceId, at, data }: Occurrence): Promise<void> {
    const webhooks = await this.webhooks.listWanting(scope, event, workspaceId);
    if (webhooks.length === 0) return;
    const [workspace] = await this.workspaces.listNames(scope, [workspaceId]);
    if (workspace === undefined) return;
    const payload = JSON.stringify({
      id,
      type: event,
      timestamp: at,
      workspace: { id: workspace.id, slug: workspace.slug, name: workspace.name },
      data,
    });
    await this.dataSource.transaction((manager) =>
      this.deliveries.add(
        manager,
        webhooks.map((webhook) => ({ webhookId: webhook.id, eventId: id, event, payload })),
      ),
    );
  }
}

/** A reason is stored as a fault in JSON, or as text. */
function describeReason(reason: string): string {
  try {
    return renderFault(faultWire.parse(JSON.parse(reason)));
  } catch {
    return reason;
  }
}

const place = z.tuple([cursorTime, z.uuid()]);

@Controller()
class WebhookDeliveryHandler {
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

const hourMs = 3_600_000;

/** Queues overdue deliveries again, and deletes old ones. */
@Injectable()
class WebhookDeliveryReconciler extends Reconciler {
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
