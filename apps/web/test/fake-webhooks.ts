import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type DeliveryWire,
  type WebhookWire,
} from "@carrel/contracts";
import { answered, matcher, type FakeCall } from "./fake-call.ts";

const delivery = (id: number, event: string, more: Partial<DeliveryWire> = {}): DeliveryWire => ({
  id: `00000000-0000-4000-8000-00000000000${id}`,
  event,
  state: "delivered",
  attempts: 1,
  status: 204,
  fault: null,
  reply: "",
  milliseconds: 48,
  payload: JSON.stringify({
    id: "5f0c",
    type: event,
    workspace: { id: 1, slug: "heat-pump-retrofit", name: "Heat-pump retrofit" },
  }),
  createdAt: new Date(Date.now() - id * 3_600_000).toISOString(),
  nextAttemptAt: null,
  finishedAt: null,
  ...more,
});

/** Webhooks of the fake gateway; none at first. */
export class FakeWebhooks {
  webhooks: WebhookWire[] = [];
  deliveries: DeliveryWire[] = [
    delivery(1, "answer.finished", {
      state: "pending",
      attempts: 2,
      status: 503,
      fault: { code: "webhook.refused", params: { status: 503 } },
      reply: "upstream unavailable",
      nextAttemptAt: new Date(Date.now() + 120_000).toISOString(),
    }),
    delivery(2, "document.ready"),
    delivery(3, "webhook.test"),
  ];
  /** Bodies and paths of mutating requests, in order. */
  readonly sent: { path: string; body: Record<string, unknown> }[] = [];

  fill(): void {
    this.webhooks = [
      {
        id: 1,
        url: "https://ci.example.com/hooks/carrel?token=s3cret",
        description: "Build server",
        events: ["document.ready", "answer.finished"],
        workspaceIds: [1],
        enabled: true,
        createdAt: "2026-11-01T08:00:00.000Z",
        lastDelivery: { state: "failed", at: new Date(Date.now() - 3_600_000).toISOString() },
      },
      {
        id: 2,
        url: "https://hooks.example.org/services/T0/B1",
        description: "",
        events: ["document.failed"],
        workspaceIds: null,
        enabled: false,
        createdAt: "2026-11-02T08:00:00.000Z",
        lastDelivery: null,
      },
    ];
  }

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const { method, path, body, reply } = call;
    if (!/^\/webhooks(\/|$)/.test(path)) return false;
    const at = matcher(call);
    if (method !== "GET") this.sent.push({ path, body });
    const id = Number(path.split("/")[2]);
    if (at("GET", /^\/webhooks$/))
      return answered(reply(listWebhooks, { webhooks: this.webhooks }));
    if (at("POST", /^\/webhooks$/)) {
      const webhook = {
        ...(body as Pick<WebhookWire, "url" | "description" | "events" | "workspaceIds">),
        id: 9,
        enabled: true,
        createdAt: new Date().toISOString(),
        lastDelivery: null,
      };
      this.webhooks = [...this.webhooks, webhook];
      return answered(
        reply(createWebhook, { webhook, secret: "whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw==" }),
      );
    }
    if (at("PUT", /^\/webhooks\/\d+$/)) {
      this.webhooks = this.webhooks.map((each) =>
        each.id === id ? { ...each, ...body, id } : each,
      );
      return answered(
        reply(updateWebhook, { webhook: this.webhooks.find((each) => each.id === id)! }),
      );
    }
    if (at("DELETE", /^\/webhooks\/\d+$/)) {
      this.webhooks = this.webhooks.filter((each) => each.id !== id);
      return answered(reply(deleteWebhook, { success: true }));
    }
    if (at("POST", /\/secret$/))
      return answered(reply(rotateWebhookSecret, { secret: "whsec_YW5vdGhlciBzZWNyZXQ=" }));
    if (at("POST", /\/test$/))
      return answered(reply(testWebhook, { deliveryId: this.deliveries[0]!.id }));
    if (at("POST", /\/replay$/)) return answered(reply(replayDelivery, { success: true }));
    const state = call.query.get("state");
    const deliveries = this.deliveries.filter((each) => state === null || each.state === state);
    return answered(reply(listDeliveries, { deliveries, nextCursor: null }));
  }
}
