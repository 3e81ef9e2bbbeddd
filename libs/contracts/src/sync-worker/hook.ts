import { z } from "zod";
import { slug } from "../coercion.ts";
import { byUploader } from "../connectors/connection.ts";
import type { ErrorReply } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";

/*
 * Carrel-specific: webhooks of GitHub, GitLab, Gitea, Forgejo and Jira that announce changes of a
 * watched source (docs/decisions/live-sync.md).
 */

// The secret only lets its holder ask for a sync, and goes with the watch.
const bySource = {
  ...byUploader,
  access: { ...byUploader.access, proof: "none" },
  service: "sync-worker",
} as const;
const ofConnection = z.object({ slug, connectionId: z.uuid() });
const path = "/workspace/:slug/connections/:connectionId/hook";

export const createHook = defineOperation({
  ...bySource,
  name: "sync-worker.hook.create",
  calls: ["connectors"],
  routes: [
    {
      method: "POST",
      path,
      summary: "Let a watched source announce its changes by webhook; shows a new secret once",
    },
  ],
  input: ofConnection,
  output: z.object({
    /** On this server. */
    path: z.string(),
    secret: z.string(),
  }),
});

export const removeHook = defineOperation({
  ...bySource,
  name: "sync-worker.hook.remove",
  idempotency: "natural",
  calls: ["connectors"],
  routes: [{ method: "DELETE", path, summary: "Stop taking a source's webhooks" }],
  input: ofConnection,
  output: z.object({ success: z.boolean() }),
});

const nothing: ErrorReply = { status: 404, kind: "text", text: "Not Found" };

/** Whatever is wrong with it, the answer is the same. */
export const receiveHook = defineOperation({
  name: "gateway.hook.receive",
  service: "gateway",
  access: { who: "public" },
  mount: "custom",
  errors: { BAD_INPUT: nothing, NOT_FOUND: nothing },
  routes: [
    {
      method: "POST",
      path: "/hooks/:connectionId",
      summary: "Announce a change of a watched source, signed with its secret",
      bodyLimit: 1_000_000,
      rawBody: true,
    },
  ],
  input: z.object({ connectionId: z.uuid(), body: z.base64() }),
  output: z.void(),
  success: { status: 202, kind: "empty" },
});

/** Internal: has the source synced soon if the message is signed with its secret, and new. */
export const deliverHook = defineOperation({
  name: "sync-worker.hook.deliver",
  service: "sync-worker",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    connectionId: z.uuid(),
    body: z.base64(),
    /** Those that sign it or name the delivery, in lower case. */
    headers: z.record(z.string(), z.string().max(1_000)),
  }),
  output: z.object({}),
});

/** Headers that sign a webhook or name its delivery. */
export const hookHeaders = [
  "x-hub-signature-256",
  "x-hub-signature",
  "x-gitea-signature",
  "x-forgejo-signature",
  "x-gitlab-token",
  "x-gitlab-event-uuid",
] as const;

export const hookContracts: Contracts = {
  operations: [createHook, removeHook, receiveHook, deliverHook],
};
