import {
  embedDocument,
  indexDocument,
  parseDocument,
  parseSlowDocument,
  parseThreadFile,
  publishRevision,
  recogniseDocument,
  transcribeDocument,
} from "@carrel/contracts";
import { jobMessage, type OutboxMessage } from "@carrel/messaging";
import type { Document } from "./document.entity.ts";

/**
 * Who a document's work counts towards when people take turns: whoever uploaded it or, without
 * accounts, its workspace. One person's many or slow files then don't delay another's few.
 */
export const ownerOf = (userId: number | null, workspaceId: number | null): string =>
  userId !== null ? `person ${userId}` : `workspace ${workspaceId ?? "library"}`;

interface VersionedRow {
  id: number;
  version: number;
}

/** Columns that decide which queue parses a document. */
export type Unparsed = Pick<
  Document,
  | "id"
  | "version"
  | "inLibrary"
  | "recognitionPages"
  | "isSlow"
  | "isRecording"
  | "userId"
  | "revises"
>;
/** The columns of `Unparsed` in a query whose document is `d`. */
export const unparsedColumns = `d.id, d.version, d.in_library AS "inLibrary",
  d.recognition_pages AS "recognitionPages", d.is_slow AS "isSlow", d.is_recording AS "isRecording",
  d.user_id AS "userId", d.revises`;

/** Versions before `isSlow` mark slow documents with 0 pages, and may still run. */
export const needsRecognition = ({ recognitionPages }: Pick<Document, "recognitionPages">) =>
  (recognitionPages ?? 0) > 0;

/** Whether it is a document of the library or will be its content, not a file dropped on a chat. */
export const belongsToLibrary = ({
  inLibrary,
  revises,
}: Pick<Document, "inLibrary" | "revises">): boolean => inLibrary || revises !== null;

/** Slow work has separate queues so that it doesn't delay other files. */
function jobFor(document: Unparsed) {
  if (document.isRecording) return transcribeDocument;
  if (needsRecognition(document)) return recogniseDocument;
  if (document.isSlow) return parseSlowDocument;
  return belongsToLibrary(document) ? parseDocument : parseThreadFile;
}

/** Parses a document; `workspaceId` is the workspace waiting for it, if any. */
export const parseJob = (document: Unparsed, workspaceId: number | null): OutboxMessage => {
  const { id: documentId, version } = document;
  const owner = ownerOf(document.userId, workspaceId);
  return jobMessage(jobFor(document), {
    rowId: documentId,
    version,
    payload: { documentId, version, owner, ...(workspaceId === null ? {} : { workspaceId }) },
  });
};

/** Recognises the pictures of a document whose own text is stored. */
export const pictureJob = (
  { id: documentId, version, userId }: Pick<Document, "id" | "version" | "userId">,
  workspaceId: number | null,
): OutboxMessage =>
  jobMessage(recogniseDocument, {
    rowId: documentId,
    version,
    payload: {
      documentId,
      version,
      owner: ownerOf(userId, workspaceId),
      ...(workspaceId === null ? {} : { workspaceId }),
    },
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

/** Publishes a parsed revision; each run of it is a job of its own. */
export const revisionJob = ({
  id: revisionId,
  run,
  userId,
}: Pick<Document, "id" | "run" | "userId">): OutboxMessage =>
  jobMessage(publishRevision, {
    rowId: revisionId,
    version: run,
    payload: { revisionId, owner: ownerOf(userId, null) },
  });
