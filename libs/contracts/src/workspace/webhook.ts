import { z } from "zod";
import { rowId } from "../coercion.ts";
import { byKey } from "../error-reply.ts";
import { faultWire } from "../errors/error-definition.ts";
import {
  defineEvent,
  defineJob,
  defineOperation,
  type Contracts,
  type HttpRoute,
} from "../operation.ts";
import { nextPageCursor, pageCursor } from "../page-cursor.ts";

/*
 * Carrel-specific: events posted to other programs (docs/decisions/webhooks.md).
 */

export const webhookEvents = [
  "document.ready",
  "document.failed",
  "answer.finished",
  "sync.stopped",
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
/** Sent by the Test button only. */
export const webhookTestEvent = "webhook.test";

const address = z.url({ protocol: /^https?$/, hostname: /^.+$/ }).max(2_000);
const fields = {
  /** http or https; stored encrypted, because many services put a secret into it. */
  url: address,
  description: z.string().max(200).default(""),
  events: z.array(z.enum(webhookEvents)).min(1).max(webhookEvents.length),
  /** Only events of these workspaces; null: of all. */
  workspaceIds: z.array(rowId).min(1).max(500).nullable().default(null),
  enabled: z.boolean().default(true),
};

export const webhookWire = z.object({
  id: z.number().int(),
  url: z.string(),
  description: z.string(),
  events: z.array(z.enum(webhookEvents)),
  workspaceIds: z.array(z.number().int()).nullable(),
  enabled: z.boolean(),
  createdAt: z.string(),
  /** The latest delivery; null if there is none. */
  lastDelivery: z
    .object({ state: z.enum(["pending", "delivered", "failed"]), at: z.string() })
    .nullable(),
});
export type WebhookWire = z.infer<typeof webhookWire>;

export const deliveryWire = z.object({
  id: z.uuid(),
  event: z.string(),
  /** pending: not sent yet, or waiting for the next attempt. failed: out of attempts. */
  state: z.enum(["pending", "delivered", "failed"]),
  attempts: z.number().int(),
  /** HTTP status of the last attempt; null if it got no reply. */
  status: z.number().int().nullable(),
  fault: faultWire.nullable(),
  /** The beginning of the last reply's body. */
  reply: z.string(),
  /** Duration of the last attempt. */
  milliseconds: z.number().int().nullable(),
  /** What was sent, as JSON text. */
  payload: z.string(),
  createdAt: z.string(),
  /** ISO 8601; null unless another attempt is due. */
  nextAttemptAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
});
export type DeliveryWire = z.infer<typeof deliveryWire>;

const refused = {
  BAD_INPUT: { status: 400, kind: "json", body: { error: "$message" } },
  NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } },
  CONFLICT: { status: 409, kind: "json", body: { error: "$message" } },
} as const;
const byAdmin = { service: "workspace", access: { who: "admin" }, errors: refused } as const;
/** A webhook keeps sending texts to another program after the session has ended. */
const byProvenAdmin = { ...byAdmin, access: { who: "admin", proof: "recent" } } as const;
/** For the app and, under another name, for API keys. */
const routes = <Route extends Pick<HttpRoute, "method" | "path" | "summary">>(
  name: string,
  route: Route,
) => [
  route,
  {
    ...route,
    ...byKey("admin"),
    name: `gateway.developer.${name}`,
    path: `/v1${route.path}`,
  },
];

export const listWebhooks = defineOperation({
  ...byAdmin,
  name: "workspace.webhook.list",
  routes: routes("list-webhooks", { method: "GET", path: "/webhooks", summary: "List webhooks" }),
  input: z.object({}),
  output: z.object({ webhooks: z.array(webhookWire) }),
});

export const createWebhook = defineOperation({
  ...byProvenAdmin,
  name: "workspace.webhook.create",
  idempotency: "keyed",
  routes: routes("create-webhook", {
    method: "POST",
    path: "/webhooks",
    summary: "Create a webhook; the reply is the only one with its signing secret",
  }),
  input: z.object(fields),
  output: z.object({ webhook: webhookWire, secret: z.string() }),
});

export const updateWebhook = defineOperation({
  ...byProvenAdmin,
  name: "workspace.webhook.update",
  idempotency: "natural",
  routes: routes("update-webhook", {
    method: "PUT",
    path: "/webhooks/:id",
    summary: "Change a webhook",
  }),
  input: z.object({ id: rowId, ...fields }),
  output: z.object({ webhook: webhookWire }),
});

export const deleteWebhook = defineOperation({
  ...byAdmin,
  name: "workspace.webhook.delete",
  idempotency: "natural",
  routes: routes("delete-webhook", {
    method: "DELETE",
    path: "/webhooks/:id",
    summary: "Delete a webhook and its deliveries",
  }),
  input: z.object({ id: rowId }),
  output: z.object({ success: z.boolean() }),
});

export const rotateWebhookSecret = defineOperation({
  ...byProvenAdmin,
  name: "workspace.webhook.rotate-secret",
  idempotency: "keyed",
  routes: routes("rotate-webhook-secret", {
    method: "POST",
    path: "/webhooks/:id/secret",
    summary: "Replace a webhook's signing secret; the old one stops working at once",
  }),
  input: z.object({ id: rowId }),
  output: z.object({ secret: z.string() }),
});

export const testWebhook = defineOperation({
  ...byAdmin,
  name: "workspace.webhook.test",
  idempotency: "keyed",
  routes: routes("test-webhook", {
    method: "POST",
    path: "/webhooks/:id/test",
    summary: "Send a test event to a webhook",
  }),
  input: z.object({ id: rowId }),
  output: z.object({ deliveryId: z.uuid() }),
});

export const listDeliveries = defineOperation({
  ...byAdmin,
  name: "workspace.webhook.list-deliveries",
  routes: routes("list-webhook-deliveries", {
    method: "GET",
    path: "/webhooks/:id/deliveries",
    summary: "List a webhook's deliveries of the last 30 days, newest first",
  }),
  input: z.object({
    id: rowId,
    state: z.enum(["pending", "delivered", "failed"]).optional(),
    cursor: pageCursor,
    limit: z.coerce.number().int().min(1).max(100).default(20),
  }),
  output: z.object({
    deliveries: z.array(deliveryWire),
    nextCursor: nextPageCursor,
  }),
});

export const replayDelivery = defineOperation({
  ...byAdmin,
  name: "workspace.webhook.replay",
  idempotency: "natural",
  routes: routes("replay-webhook-delivery", {
    method: "POST",
    path: "/webhooks/:id/deliveries/:deliveryId/replay",
    summary: "Send a delivery again, with the same id and payload",
  }),
  input: z.object({ id: rowId, deliveryId: z.uuid() }),
  output: z.object({ success: z.boolean() }),
});

export const deliverWebhook = defineJob({
  name: "workspace.webhook.deliver",
  service: "workspace",
  queue: "webhooks",
  payload: z.object({ deliveryId: z.uuid(), webhookId: z.number().int() }),
  // The delivery's own schedule spans hours; this only bridges a lost process.
  attempts: 3,
  backoffMs: 2_000,
  // So that a slow receiver delays only its own deliveries.
  fairBy: "webhookId",
});

/** The events that any webhook subscribes to: chat and ingest record only those. */
export const webhooksChanged = defineEvent({
  name: "webhooks.changed",
  service: "workspace",
  consumers: ["chat", "ingest"],
  payload: z.object({
    /** Increases with each change, so that an older one that arrives late is ignored. */
    version: z.number().int(),
    events: z.array(z.enum(webhookEvents)),
  }),
});

export const webhookContracts: Contracts = {
  operations: [
    listWebhooks,
    createWebhook,
    updateWebhook,
    deleteWebhook,
    rotateWebhookSecret,
    testWebhook,
    listDeliveries,
    replayDelivery,
  ],
  jobs: [deliverWebhook],
  events: [webhooksChanged],
};
