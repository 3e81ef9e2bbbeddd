import type { DocumentState, ProgressFrame } from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { Document } from "./document.entity.ts";
import { mapStatus } from "./document.mapper.ts";
import { LibraryNotice } from "./library-notice.ts";
import type { WorkspaceDocument } from "./workspace-document.entity.ts";

/** Minimum time between two progress frames for the same document and state. */
const throttleMs = 250;
const terminal: DocumentState[] = ["parsed", "searchable", "embedded", "failed"];

/** Channel of `Broadcast`; see docs/decisions/document-processing.md. */
const progressChannel = (workspaceId: number | null): string =>
  `progress:${workspaceId ?? "library"}`;

/**
 * Reports document states to listening gateways. A lost frame does no harm, because PostgreSQL
 * holds the state.
 */
@Injectable()
export class DocumentProgress {
  private readonly last = new Map<string, { state: DocumentState; at: number }>();

  constructor(
    private readonly broadcast: Broadcast,
    private readonly notice: LibraryNotice,
  ) {}

  /** `workspaceDocument` is null for a document that is in no workspace. */
  announce(document: Document, workspaceDocument: WorkspaceDocument | null): void {
    // People see the document, not the content that is being prepared for it.
    if (document.revises !== null) return;
    // The library shows parsing progress but no chat files.
    if (document.inLibrary && workspaceDocument?.state !== "embedding") this.notice.announce();
    const restriction = document.audienceId === null ? {} : { onlyFor: document.userId };
    this.send(workspaceDocument?.workspaceId ?? null, {
      type: "document_state",
      document: mapStatus(document, workspaceDocument),
      ...restriction,
    });
  }

  announceRemoval(workspaceId: number, documentId: string, docpath: string | null): void {
    this.last.delete(`${workspaceId} ${documentId}`);
    this.publish(workspaceId, { type: "document_removed", documentId, docpath });
  }

  private send(
    workspaceId: number | null,
    frame: Extract<ProgressFrame, { type: "document_state" }>,
  ): void {
    const status = frame.document;
    const key = `${workspaceId ?? "library"} ${status.documentId}`;
    const last = this.last.get(key);
    const now = Date.now();
    if (
      last?.state === status.state &&
      now - last.at < throttleMs &&
      !terminal.includes(status.state)
    )
      return;
    // Final states need no throttling; documents abandoned midway are evicted once the map is full.
    if (
      status.state === "embedded" ||
      status.state === "failed" ||
      (workspaceId === null && status.state === "parsed")
    )
      this.last.delete(key);
    else this.last.set(key, { state: status.state, at: now });
    if (this.last.size > 10_000) this.last.delete(this.last.keys().next().value!);
    this.publish(workspaceId, frame);
  }

  private publish(workspaceId: number | null, frame: ProgressFrame): void {
    // Redis may be down; the state is in PostgreSQL and clients also poll it.
    void this.broadcast.publish(progressChannel(workspaceId), frame).catch(() => undefined);
  }
}
