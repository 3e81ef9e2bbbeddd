import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/**
 * Carrel-specific: what other threads have operations for, by slug. Archiving it unpins it; omitted
 * fields are unchanged.
 */
export const updateDefaultThread = defineOperation({
  name: "chat.thread.update-default",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/default-thread",
      summary: "Rename, pin or archive your default thread, or undo it",
    },
  ],
  input: z.object({
    slug,
    name: z.string().trim().min(1).max(255).optional(),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
  }),
  output: z.object({ success: z.literal(true) }),
});

/**
 * Carrel-specific: empties it. Its turns are deleted like a thread: while deleted threads are kept,
 * they can be restored as an ordinary thread.
 */
export const clearDefaultThread = defineOperation({
  name: "chat.thread.clear-default",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/workspace/:slug/default-thread",
      summary: "Delete the chats of your default thread",
    },
  ],
  input: z.object({ slug }),
  output: z.object({ success: z.literal(true) }),
});

export const defaultThreadContracts: Contracts = {
  operations: [updateDefaultThread, clearDefaultThread],
};
