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
      // The largest that GitHub sends.
      bodyLimit: 25_000_000,
      rawBody: true,
    },
  ],
  input: z.object({ connectionId: z.uuid() }),
  output: z.void(),
  success: { status: 202, kind: "empty" },
});

/**
 * Internal: what a source's messages must be signed with. The gateway compares, because messages can
 * be too large to pass on. Throws `watch.not-found` if the source may not send any.
 */
export const findHookSecret = defineOperation({
  name: "sync-worker.hook.find-secret",
  service: "sync-worker",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ connectionId: z.uuid() }),
  output: z.object({ secret: z.string() }),
});

/** Internal: has the source synced soon if this message, whose signature is right, is new. */
export const deliverHook = defineOperation({
  name: "sync-worker.hook.deliver",
  service: "sync-worker",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    connectionId: z.uuid(),
    /** Under which the message is remembered. */
    key: z.string().max(100),
  }),
  output: z.object({}),
});

export const hookContracts: Contracts = {
  operations: [createHook, removeHook, receiveHook, findHookSecret, deliverHook],
};
