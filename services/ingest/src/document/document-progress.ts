import type { DocumentState, ProgressFrame, WorkspaceDocumentStatus } from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { Document } from "./document.entity.ts";
import { LibraryNotice } from "./library-notice.ts";
import { mapStatus } from "./workspace-document.mapper.ts";
import type { WorkspaceDocument } from "./workspace-document.entity.ts";

/** Least time between two frames of progress within one state of one document. */
const throttleMs = 250;
const terminal: DocumentState[] = ["parsed", "searchable", "embedded", "failed"];

/** Channel of `Broadcast`; see docs/decisions/document-processing.md. */
const progressChannel = (workspaceId: number | null): string =>
  `progress:${workspaceId ?? "library"}`;

/**
 * Tells listening gateways where documents stand. A lost frame does no harm: PostgreSQL has the
 * truth.
 */
@Injectable()
export class DocumentProgress {
  private readonly last = new Map<string, { state: DocumentState; at: number }>();

  constructor(
    private readonly broadcast: Broadcast,
    private readonly notice: LibraryNotice,
  ) {}

  /** `workspaceDocument` is null for a document that is in no workspace. */
  tell(document: Document, workspaceDocument: WorkspaceDocument | null): void {
    // The library shows how reading went; files of chats are not in it.
    if (document.inLibrary && workspaceDocument?.state !== "embedding") this.notice.tell();
    this.send(workspaceDocument?.workspaceId ?? null, mapStatus(document, workspaceDocument));
  }

  tellRemoved(workspaceId: number, documentId: string, docpath: string | null): void {
    this.last.delete(`${workspaceId} ${documentId}`);
    this.publish(workspaceId, { type: "document_removed", documentId, docpath });
  }

  private send(workspaceId: number | null, status: WorkspaceDocumentStatus): void {
    const key = `${workspaceId ?? "library"} ${status.documentId}`;
    const last = this.last.get(key);
    const now = Date.now();
    if (
      last?.state === status.state &&
      now - last.at < throttleMs &&
      !terminal.includes(status.state)
    )
      return;
    // What has ended for good needs no memory; a document left in the middle is forgotten when
    // others come.
    if (
      status.state === "embedded" ||
      status.state === "failed" ||
      (workspaceId === null && status.state === "parsed")
    )
      this.last.delete(key);
    else this.last.set(key, { state: status.state, at: now });
    if (this.last.size > 10_000) this.last.delete(this.last.keys().next().value!);
    this.publish(workspaceId, { type: "document_state", document: status });
  }

  private publish(workspaceId: number | null, frame: ProgressFrame): void {
    // Redis may be away; the state itself is safe and is polled.
    void this.broadcast.publish(progressChannel(workspaceId), frame).catch(() => undefined);
  }
}
