import { z } from "zod";
import type { ErrorReply } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { advanceApprovals } from "./advance-approval.ts";
import { flowRunErrors } from "./flow-run.ts";

/* Which flows can be started by the developer API or by webhooks, set by admins. */

const flowId = z.uuid().transform((id) => id.toLowerCase());

export const flowTriggerKinds = ["api", "webhook"] as const;
export type FlowTriggerKind = (typeof flowTriggerKinds)[number];

export const flowTriggerWire = z.object({
  id: z.uuid(),
  kind: z.enum(flowTriggerKinds),
  /** Whose rights its runs have; null: those of an instance without accounts. */
  owner: z.object({ id: z.number().int(), username: z.string() }).nullable(),
  workspaceId: z.number().int().nullable(),
  approvals: advanceApprovals,
  /** Where webhooks are sent, on this server; null for the API. */
  path: z.string().nullable(),
  /** ISO 8601. */
  createdAt: z.string(),
});
export type FlowTriggerWire = z.infer<typeof flowTriggerWire>;

const byAdmin = { service: "chat", access: { who: "admin" }, errors: flowRunErrors } as const;
/** A flow can be run with its owner's rights after the session has ended. */
const byProvenAdmin = { ...byAdmin, access: { who: "admin", proof: "recent" } } as const;
const path = "/flows/:id/triggers/:kind";
const ofFlow = z.object({ id: flowId, kind: z.enum(flowTriggerKinds) });

export const listFlowTriggers = defineOperation({
  ...byAdmin,
  name: "chat.flow-trigger.list",
  calls: ["auth"],
  routes: [{ method: "GET", path: "/flows/:id/triggers", summary: "List what can start a flow" }],
  input: z.object({ id: flowId }),
  output: z.object({ triggers: z.array(flowTriggerWire) }),
});

/** The caller becomes the owner: others' rights can't be borrowed. */
export const setFlowTrigger = defineOperation({
  ...byProvenAdmin,
  name: "chat.flow-trigger.set",
  calls: ["auth", "workspace"],
  idempotency: "keyed",
  routes: [
    {
      method: "PUT",
      path,
      summary: "Let a flow be started by the API or a webhook, with your rights",
    },
  ],
  input: ofFlow.extend({
    workspaceId: z.number().int().nullable().default(null),
    /** What its runs may request and do unattended. */
    approvals: advanceApprovals.default([]),
  }),
  output: z.object({
    trigger: flowTriggerWire,
    /** Of a new webhook, shown once: `whsec_` and Base64. */
    secret: z.string().nullable(),
  }),
});

export const rotateFlowHookSecret = defineOperation({
  ...byProvenAdmin,
  name: "chat.flow-trigger.rotate-secret",
  idempotency: "keyed",
  routes: [
    {
      method: "POST",
      path: "/flows/:id/triggers/webhook/secret",
      summary: "Replace the secret with which a flow's webhooks are signed",
    },
  ],
  input: z.object({ id: flowId }),
  output: z.object({ secret: z.string() }),
});

export const deleteFlowTrigger = defineOperation({
  ...byAdmin,
  name: "chat.flow-trigger.delete",
  idempotency: "natural",
  routes: [{ method: "DELETE", path, summary: "No longer let the API or a webhook start a flow" }],
  input: ofFlow,
  output: z.object({ success: z.literal(true) }),
});

/** Bytes of a webhook's body. */
export const largestFlowHook = 150_000;
const nothing: ErrorReply = { status: 404, kind: "text", text: "Not Found" };

/** Whatever is wrong with it, the answer is the same. */
export const receiveFlowHook = defineOperation({
  name: "gateway.flow-hook.receive",
  service: "gateway",
  access: { who: "public" },
  mount: "custom",
  errors: { BAD_INPUT: nothing, NOT_FOUND: nothing },
  routes: [
    {
      method: "POST",
      path: "/flow-hooks/:id",
      summary: "Start a flow, signed as Standard Webhooks say",
      bodyLimit: largestFlowHook,
      rawBody: true,
    },
  ],
  input: z.object({ id: flowId }),
  output: z.object({ id: z.uuid() }),
  success: { status: 202, kind: "json" },
});

/** Internal: starts a run if the signature is right. Throws `flow.hook-not-found`. */
export const deliverFlowHook = defineOperation({
  name: "chat.flow-hook.deliver",
  service: "chat",
  access: { who: "internal" },
  idempotency: "natural",
  calls: ["auth", "workspace"],
  input: z.object({
    id: flowId,
    body: z.string(),
    /** `webhook-id`, `webhook-timestamp` and `webhook-signature`. */
    messageId: z.string().max(500),
    timestamp: z.string().max(20),
    signature: z.string().max(2_000),
  }),
  output: z.object({ id: z.uuid() }),
});

export const flowTriggerContracts: Contracts = {
  operations: [
    listFlowTriggers,
    setFlowTrigger,
    rotateFlowHookSecret,
    deleteFlowTrigger,
    receiveFlowHook,
    deliverFlowHook,
  ],
};
