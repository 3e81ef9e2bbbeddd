import { z } from "zod";
import { rowId, slug } from "../coercion.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { threadWire } from "./thread.ts";

/*
 * Internal: threads and turns of all owners, for the developer API (wire-contract 9.4 and 9.5). The
 * gateway checks the key.
 */

/** Creates a thread for the principal; REFUSED if the slug is taken. */
export const createNamedThread = defineOperation({
  name: "chat.thread.create-named",
  service: "chat",
  access: { who: "internal", workspace: true },
  idempotency: "keyed",
  input: z.object({
    name: z.string().nullable(),
    /** Cleaned, but keeps capitals; null: a random one. */
    wantedSlug: z.string().nullable(),
  }),
  output: z.object({ thread: threadWire }),
});

/** Returns the thread's owner. Throws THREAD_NOT_FOUND. */
export const findThreadOwner = defineOperation({
  name: "chat.thread.find-owner",
  service: "chat",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({ threadSlug: slug }),
  output: z.object({ userId: z.number().int().nullable() }),
});

/** A page of the threads of all owners, in the workspace in scope or in all. */
export const listAllThreads = defineOperation({
  name: "chat.thread.list-all",
  service: "chat",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ after: z.number().int().nullable() }),
  output: z.object({
    threads: z.array(
      threadWire.pick({ user_id: true, slug: true, name: true, workspace_id: true }),
    ),
    next: z.number().int().nullable(),
  }),
});

/**
 * A page of turns as the JSON that clients receive: from an API session, a thread, or the default
 * threads of all owners.
 */
export const readAllTurns = defineOperation({
  name: "chat.turn.read-all",
  service: "chat",
  calls: ["ingest"],
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({
    apiSessionId: z.string().max(255).nullable(),
    threadSlug: slug.nullable(),
    /** Only turns without an owner. */
    ownerless: z.boolean().default(false),
    order: z.enum(["asc", "desc"]),
    limit: z.number().int().min(1),
    /** ID of the previous page's last turn. */
    after: rowId.nullable(),
  }),
  output: z.object({
    /** The elements of an array of `historyItem`, without its brackets. */
    items: z.string(),
    /** Number of turns in `items`. */
    count: z.number().int(),
    /** null if there are no more. */
    next: z.number().int().nullable(),
    /** Whether attachments may have a `blobKey`. */
    hasImages: z.boolean(),
  }),
});

export const developerThreadContracts: Contracts = {
  operations: [createNamedThread, findThreadOwner, listAllThreads, readAllTurns],
};
