import { z } from "zod";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/**
 * Internal: part of the view of a workspace (documents that are at least searchable), as the JSON
 * that clients receive, built by PostgreSQL (docs/decisions/gateway.md).
 */
export const readWorkspaceDocuments = defineOperation({
  name: "ingest.workspace-document.read",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  // A reply holds at most 1 MB: pages of 1,000 by id, until `next` is null.
  input: z.object({
    after: z.number().int().nullable().default(null),
    /** Only these documents. */
    documentIds: z.array(z.uuid()).max(1_000).optional(),
  }),
  output: z.object({
    /** The elements of an array of `workspaceDocumentWire`, without its brackets. */
    items: z.string(),
    next: z.number().int().nullable(),
    /** Whether the caller has attached files to any of their threads in this workspace. */
    hasFiles: z.boolean(),
  }),
});

export const workspaceDocumentReadContracts: Contracts = {
  operations: [readWorkspaceDocuments],
};
