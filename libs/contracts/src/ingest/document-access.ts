import { z } from "zod";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";

/*
 * Who may see documents that came with a list of readers (docs/decisions/document-permissions.md).
 */

/**
 * Internal: who may see these documents besides whoever imported them, by user id; null: everyone in
 * their workspaces. Applies to the sheets and archive files of an upload too. Ids of documents that
 * don't exist are ignored.
 */
export const setDocumentAccess = defineOperation({
  name: "ingest.document.set-access",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    documentIds: z.array(z.uuid()).max(1_000),
    readers: z.array(z.number().int()).max(20_000).nullable(),
  }),
  output: z.object({ changed: z.number().int() }),
});

/**
 * Internal: which of these documents the caller may not see, whether or not they still exist. Others
 * that don't exist aren't hidden.
 */
export const listHiddenDocuments = defineOperation({
  name: "ingest.document.hidden",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ documentIds: z.array(z.string()).max(20_000) }),
  output: z.object({ hidden: z.array(z.string()) }),
});

/** Who may see a document: everyone in its workspaces, or some people, as its source says. */
export const documentAccess = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("everyone") }),
  z.object({
    kind: z.literal("people"),
    /** The most that may see it: not all of them need be in its workspaces. */
    count: z.number().int(),
    /** Id of the connector whose source says so; null if unknown. */
    from: z.string().nullable(),
  }),
]);
export type DocumentAccess = z.infer<typeof documentAccess>;

/** Who may see some documents changed; readers of stored answers look at their citations again. */
export const documentAccessChanged = defineEvent({
  name: "document-access.changed",
  service: "ingest",
  consumers: [],
  payload: z.object({}),
});

export const documentAccessContracts: Contracts = {
  operations: [setDocumentAccess, listHiddenDocuments],
  events: [documentAccessChanged],
};
