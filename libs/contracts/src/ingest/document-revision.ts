import { z } from "zod";
import { faultWire } from "../errors/error-definition.ts";
import { defineEvent, defineJob, defineOperation, type Contracts } from "../operation.ts";
import { originalInput } from "./upload.ts";

/** When the source was asked, ISO 8601. */
const checkedAt = z.iso.datetime();

/**
 * Internal: gives a document new content, with the same id in the same workspaces. They find the old
 * content until the new one is ready, and then, in all of them at once, the new one. Of several
 * revisions, the one that was checked last wins.
 */
export const reviseDocument = defineOperation({
  name: "ingest.document.revise",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "keyed",
  input: originalInput.extend({ documentId: z.uuid(), checkedAt }),
  /** `unchanged` if the document already has this content, or newer content. */
  output: z.object({ state: z.enum(["unchanged", "revising"]) }),
});

/** Internal: the document's source was asked and has no other content. */
export const documentChecked = defineOperation({
  name: "ingest.document.checked",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ documentId: z.uuid(), checkedAt }),
  output: z.object({}),
});

/** Internal: documents are kept although their source no longer has them, until it has them again. */
export const documentsGone = defineOperation({
  name: "ingest.document.gone",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ documentIds: z.array(z.uuid()).max(500) }),
  output: z.object({}),
});

/** Writes a parsed revision to the index and publishes it in place of the document's content. */
export const publishRevision = defineJob({
  name: "document.publish-revision",
  service: "ingest",
  queue: "publish-revision",
  payload: z.object({ revisionId: z.uuid(), owner: z.string() }),
  fairBy: "owner",
  attempts: 5,
  backoffMs: 2_000,
});

/**
 * New content of a document couldn't be read, but the same may be later: a setting is missing, or a
 * provider failed. Only its source still has it.
 */
export const revisionFailed = defineEvent({
  name: "document.revision-failed",
  service: "ingest",
  consumers: ["connectors"],
  payload: z.object({ documentId: z.uuid(), sha256: z.string(), fault: faultWire }),
});

export const documentRevisionContracts: Contracts = {
  operations: [reviseDocument, documentChecked, documentsGone],
  jobs: [publishRevision],
  events: [revisionFailed],
};
