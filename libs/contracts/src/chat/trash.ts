import { z } from "zod";
import { slug } from "../coercion.ts";
import { inThread, inWorkspace } from "../error-reply.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";
import { threadWire } from "./thread.ts";

/**
 * Carrel-specific: deleted threads that can still be restored (CARREL_TRASH_DAYS), newest first.
 */
export const listTrash = defineOperation({
  name: "chat.thread.trash",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/trash",
      summary: "List your deleted threads that can be restored",
    },
  ],
  input: z.object({ slug }),
  output: z.object({
    days: z.number().int(),
    threads: z.array(threadWire.extend({ deletedAt: z.string(), purgedAt: z.string() })),
  }),
});

export const restoreThread = defineOperation({
  name: "chat.thread.restore",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/thread/:threadSlug/restore",
      summary: "Restore a deleted thread",
    },
  ],
  input: z.object({ slug, threadSlug: slug }),
  output: z.object({ thread: threadWire }),
});

export const purgeThread = defineOperation({
  name: "chat.thread.purge",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  idempotency: "natural",
  output: z.void(),
  success: { status: 200, kind: "text" },
  routes: [
    {
      method: "DELETE",
      path: "/workspace/:slug/trash/:threadSlug",
      summary: "Permanently delete a thread",
    },
  ],
  input: z.object({ slug, threadSlug: slug }),
});

export const trashContracts: Contracts = {
  operations: [listTrash, restoreThread, purgeThread],
};
