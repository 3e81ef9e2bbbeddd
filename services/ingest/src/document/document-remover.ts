import type { Scope, WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { BlobSweeper } from "../blob/blob-sweeper.ts";
import { DocumentProgress } from "./document-progress.ts";
import type { Document } from "./document.entity.ts";
import { DocumentRepository } from "./document.repository.ts";
import { LibraryNotice } from "./library-notice.ts";
import { WorkspaceDocumentRemoval } from "./workspace-document-removal.ts";
import { WorkspaceDocumentRepository } from "./workspace-document.repository.ts";
import { serviceScope } from "./workspace-scope.ts";

/**
 * Removes documents in one transaction on rows, so removal is instant; index rows and blobs are
 * deleted afterwards.
 */
@Injectable()
export class DocumentRemover {
  constructor(
    private readonly dataSource: DataSource,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly removal: WorkspaceDocumentRemoval,
    private readonly sweeper: BlobSweeper,
    private readonly progress: DocumentProgress,
    private readonly notice: LibraryNotice,
  ) {}

  /** Removes the document from every workspace and from the library. */
  async removeEverywhere(scope: Scope, document: Document): Promise<void> {
    const workspaces = await this.dataSource.transaction(async (manager) => {
      // Locks the row first, so that a concurrent addition to a workspace waits and then finds the
      // document gone.
      await manager.query(`SELECT 1 FROM ingest.document WHERE id = $1 FOR UPDATE`, [document.id]);
      const links = await this.workspaceDocuments.listOfDocument(scope, document.id, manager);
      for (const link of links)
        await this.removal.remove(serviceScope(link.workspaceId), manager, document.id);
      await this.deleteRow(scope, manager, document.id);
      return links.map((link) => link.workspaceId);
    });
    this.sweeper.soon();
    this.notice.announce();
    for (const workspaceId of workspaces)
      this.progress.announceRemoval(workspaceId, document.id, publicPath(document));
  }

  /**
   * Removes the document from one workspace and, with `purge`, from the library if no other
   * workspace holds it. False if the workspace didn't hold it.
   */
  async removeFromWorkspace(
    scope: WorkspaceScope,
    document: Document,
    purge: boolean,
  ): Promise<boolean> {
    const removed = await this.dataSource.transaction(async (manager) => {
      await manager.query(`SELECT 1 FROM ingest.document WHERE id = $1 FOR UPDATE`, [document.id]);
      if (!(await this.removal.remove(scope, manager, document.id))) return false;
      if (
        purge &&
        (await this.workspaceDocuments.listOfDocument(scope, document.id, manager)).length === 0
      )
        await this.deleteRow(scope, manager, document.id);
      return true;
    });
    this.sweeper.soon();
    if (removed) this.notice.announce();
    if (removed)
      this.progress.announceRemoval(scope.workspace.id, document.id, publicPath(document));
    return removed;
  }

  private async deleteRow(scope: Scope, manager: EntityManager, id: string): Promise<void> {
    const deleted = await this.documents.delete(scope, manager, id);
    if (deleted?.blobKey) await this.sweeper.note(manager, [deleted.blobKey]);
  }
}

/** Everyone who watches the workspace is told of a removal. */
export const publicPath = ({
  audienceId,
  docpath,
}: Pick<Document, "audienceId" | "docpath">): string | null =>
  audienceId === null ? docpath : null;
