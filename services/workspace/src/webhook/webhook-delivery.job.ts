import {
  CarrelError,
  clipText,
  deliverWebhook,
  servicePrincipal,
  type FaultWire,
  type JobPayload,
  type Scope,
} from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { EgressError, createProviderFetch } from "@carrel/egress";
import { Process, type JobContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { signWebhook } from "./sign-webhook.ts";
import type { WebhookDelivery } from "./webhook-delivery.entity.ts";
import {
  WebhookDeliveries,
  WebhookDeliveryRepository,
  type Attempt,
} from "./webhook-delivery.repository.ts";
import type { Webhook } from "./webhook.entity.ts";
import { WebhookRepository } from "./webhook.repository.ts";

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

const scope: Scope = { principal: servicePrincipal, workspace: null };
const [second, minute, hour] = [1_000, 60_000, 3_600_000];
/** Waits between attempts: a receiver may be down for most of a day. */
const delays = [5 * second, 30 * second, 2 * minute, 10 * minute, hour, 4 * hour, 12 * hour];

/** Posts a delivery; after a failure, another attempt follows later. */
@Injectable()
export class WebhookDeliveryJob {
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
  if (error instanceof EgressError) return error.fault;
  if (error instanceof CarrelError) return { code: error.code, params: error.params };
  return error instanceof DOMException && error.name === "TimeoutError"
    ? { code: "egress.timed-out", params: { host } }
    : { code: "egress.unreachable", params: { host } };
}
