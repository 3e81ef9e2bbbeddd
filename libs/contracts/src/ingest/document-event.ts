import { z } from "zod";
import { defineEvent } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/**
 * A document of a workspace became searchable, or failed. Only recorded while a webhook wants it
 * (`webhooksChanged`).
 */
export const documentFinished = defineEvent({
  name: "document.finished",
  service: "ingest",
  consumers: ["workspace"],
  payload: z.object({
    /** The event's ID, so that redelivery changes nothing. */
    id: z.uuid(),
    workspaceId: z.number().int(),
    documentId: z.uuid(),
    title: z.string(),
    /** As in the document lists of existing clients: folder and file. */
    docpath: z.string(),
    state: z.enum(["ready", "failed"]),
    /** As stored: a fault as JSON, or text. */
    reason: z.string().nullable(),
    /** ISO 8601. */
    at: z.string(),
  }),
});

export const documentEventContracts: Contracts = { events: [documentFinished] };
