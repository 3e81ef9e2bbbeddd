import { z } from "zod";
import { pageIndex } from "../coercion.ts";
import { defineEvent, defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

export const eventLogWire = z.object({
  id: z.number().int(),
  event: z.string(),
  metadata: z.string().nullable(),
  userId: z.number().int().nullable(),
  occurredAt: z.string(),
  user: z.object({ username: z.string() }),
});

/** Newest first; `offset` is a page number. */
export const listEvents = defineOperation({
  name: "workspace.event.list",
  service: "workspace",
  access: { who: "admin" },
  idempotency: "natural",
  calls: ["auth"],
  routes: [{ method: "POST", path: "/system/event-logs", summary: "List event log entries" }],
  input: z.object({
    offset: pageIndex.default(0),
    limit: z.coerce.number().int().min(1).max(100).catch(10).default(10),
  }),
  output: z.object({
    logs: z.array(eventLogWire),
    hasPages: z.boolean(),
    totalLogs: z.number().int(),
  }),
});

export const clearEvents = defineOperation({
  name: "workspace.event.clear",
  service: "workspace",
  access: { who: "admin" },
  routes: [
    {
      method: "DELETE",
      path: "/system/event-logs",
      summary: "Clear the event log; the clearing becomes its first entry",
    },
  ],
  input: z.object({}),
  output: z.object({ success: z.boolean() }),
});

/**
 * Entry for the event log: what happened, who did it (null: no signed-in user), from which address
 * and to what. Stored by the workspace service under `id`.
 */
export const eventLogged = defineEvent({
  name: "event.logged",
  service: "auth",
  consumers: ["workspace"],
  payload: z.object({
    id: z.uuid(),
    event: z.string().max(100),
    userId: z.number().int().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    occurredAt: z.string(),
  }),
});

export const eventLogContracts: Contracts = {
  operations: [listEvents, clearEvents],
  events: [eventLogged],
};
