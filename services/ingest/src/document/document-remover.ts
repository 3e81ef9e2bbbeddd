import {
  sweepIndex,
  workspaceDocumentsChanged,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";
import { eventMessage, jobMessage, Outbox, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { BlobSweeper } from "../blob/blob-sweeper.ts";
import { LibraryNotice } from "../library/library-notice.ts";
import { DocumentProgress } from "../progress/document-progress.ts";
import {
  serviceScope,
  WorkspaceDocumentRepository,
} from "../workspace-document/workspace-document.repository.ts";
import type { Document } from "./document.entity.ts";
import { DocumentRepository } from "./document.repository.ts";

/** Removal is one transaction on rows, so it is instant; index rows and blobs follow. */
@Injectable()
export class DocumentRemover {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly sweeper: BlobSweeper,
    private readonly progress: DocumentProgress,
    private readonly notice: LibraryNotice,
  ) {}

  /** From every workspace and from the library. */
  async removeEverywhere(scope: Scope, document: Document): Promise<void> {
    const workspaces = await this.dataSource.transaction(async (manager) => {
      // The row first: whoever adds it to a workspace at this moment waits, and then finds it gone.
      await manager.query(`SELECT 1 FROM "ingest"."document" WHERE "id" = $1 FOR UPDATE`, [
        document.id,
      ]);
      const links = await this.workspaceDocuments.listOfDocument(scope, document.id, manager);
      for (const link of links)
        await this.takeOut(serviceScope(link.workspaceId), manager, document.id);
      await this.deleteRow(scope, manager, document.id);
      return links.map((link) => link.workspaceId);
    });
    this.sweeper.soon();
    this.notice.tell();
    for (const workspaceId of workspaces)
      this.progress.tellRemoved(workspaceId, document.id, document.docpath);
  }

  /**
   * From one workspace; with `purge` from the library too when no other workspace holds it. False
   * when it was not there.
   */
  async removeFromWorkspace(
    scope: WorkspaceScope,
    document: Document,
    purge: boolean,
  ): Promise<boolean> {
    const removed = await this.dataSource.transaction(async (manager) => {
      await manager.query(`SELECT 1 FROM "ingest"."document" WHERE "id" = $1 FOR UPDATE`, [
        document.id,
      ]);
      if (!(await this.takeOut(scope, manager, document.id))) return false;
      if (
        purge &&
        (await this.workspaceDocuments.listOfDocument(scope, document.id, manager)).length === 0
      )
        await this.deleteRow(scope, manager, document.id);
      return true;
    });
    this.sweeper.soon();
    if (removed) this.notice.tell();
    if (removed) this.progress.tellRemoved(scope.workspace.id, document.id, document.docpath);
    return removed;
  }

  private async takeOut(
    scope: WorkspaceScope,
    manager: EntityManager,
    documentId: string,
  ): Promise<boolean> {
    const workspaceId = scope.workspace.id;
    const garbage = await this.workspaceDocuments.remove(scope, manager, documentId);
    if (garbage === null) return false;
    const messages: OutboxMessage[] = [
      jobMessage(sweepIndex, {
        rowId: workspaceId,
        version: garbage,
        payload: { workspaceId, version: garbage },
      }),
      eventMessage(workspaceDocumentsChanged, { workspaceId }),
    ];
    await this.outbox.add(manager, ...messages);
    return true;
  }

  private async deleteRow(scope: Scope, manager: EntityManager, id: string): Promise<void> {
    const deleted = await this.documents.delete(scope, manager, id);
    if (deleted?.blobKey) await this.sweeper.note(manager, [deleted.blobKey]);
  }
}
