import { embedDocument, indexDocument, parseDocument } from "@carrel/contracts";
import { jobMessage, type OutboxMessage } from "@carrel/messaging";

interface VersionedRow {
  id: number;
  version: number;
}

/** Parses a document; `workspaceId` is the workspace waiting for it, if any. */
export const parseJob = (
  documentId: string,
  version: number,
  workspaceId?: number,
): OutboxMessage =>
  jobMessage(parseDocument, {
    rowId: documentId,
    version,
    payload: { documentId, version, ...(workspaceId === undefined ? {} : { workspaceId }) },
  });

/** Splits and indexes a workspace document. */
export const indexJob = ({ id, version }: VersionedRow, workspaceId: number): OutboxMessage =>
  jobMessage(indexDocument, {
    rowId: id,
    version,
    payload: { workspaceDocumentId: id, version, workspaceId },
  });

/** Embeds the chunks of a workspace document. */
export const embedJob = ({ id, version }: VersionedRow, workspaceId: number): OutboxMessage =>
  jobMessage(embedDocument, {
    rowId: id,
    version,
    payload: { workspaceDocumentId: id, version, workspaceId },
  });
