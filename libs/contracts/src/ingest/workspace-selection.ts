import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { documentSelection, selectionErrors, selectionOutcome } from "./library.ts";

/** Starts immediately and continues in the background; `embed-progress` reports progress. */
export const addDocuments = defineOperation({
  name: "ingest.workspace-document.add",
  service: "ingest",
  access: { who: "manager", workspace: true },
  errors: selectionErrors,
  calls: ["workspace"],
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/documents/add",
      summary: "Add library documents to the workspace",
    },
  ],
  input: z.object({ slug, selection: documentSelection }),
  output: selectionOutcome,
});

/** A selection by filter applies to documents of this workspace. They are kept in the library. */
export const removeWorkspaceDocuments = defineOperation({
  name: "ingest.workspace-document.take-out",
  service: "ingest",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  errors: selectionErrors,
  calls: ["workspace"],
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/documents/take-out",
      summary: "Remove documents from the workspace",
    },
  ],
  input: z.object({ slug, selection: documentSelection }),
  output: selectionOutcome,
});

/**
 * Re-chunks, re-indexes and re-embeds with the current settings; the current version stays
 * searchable meanwhile.
 */
export const embedAgain = defineOperation({
  name: "ingest.workspace-document.embed-again",
  service: "ingest",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  errors: selectionErrors,
  calls: ["workspace"],
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/documents/embed-again",
      summary: "Re-index and re-embed documents in the workspace",
    },
  ],
  input: z.object({ slug, selection: documentSelection }),
  output: selectionOutcome,
});

export const pinDocuments = defineOperation({
  name: "ingest.workspace-document.pin-many",
  service: "ingest",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  errors: selectionErrors,
  calls: ["workspace"],
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/documents/pin",
      summary: "Pin or unpin documents in the workspace",
    },
  ],
  input: z.object({ slug, selection: documentSelection, pinned: z.boolean() }),
  output: selectionOutcome,
});

/** wire-contract 3.3: removes a document that is still queued from the workspace. */
export const leaveEmbedQueue = defineOperation({
  name: "ingest.workspace-document.leave-queue",
  service: "ingest",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  idempotency: "natural",
  errors: {
    ...inWorkspace,
    BAD_INPUT: { status: 400, kind: "json", body: { success: false, error: "Missing filename" } },
  },
  routes: [
    {
      method: "DELETE",
      path: "/workspace/:slug/embed-queue",
      summary: "Remove a queued document from the embedding queue",
    },
  ],
  input: z.object({ slug, filename: z.string().max(1024).default("") }),
  output: z.object({ success: z.boolean() }),
});

export const workspaceSelectionContracts: Contracts = {
  operations: [addDocuments, removeWorkspaceDocuments, embedAgain, pinDocuments, leaveEmbedQueue],
};
