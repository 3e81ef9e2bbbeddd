import { CarrelError, changeEncoding, type In, type Out } from "@carrel/contracts";
import { Handle, Outbox, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { parseJob } from "../document/document-jobs.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { LibraryNotice } from "../document/library-notice.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";

/** Reads documents again in the encoding that a person chose. */
@Controller()
export class DocumentEncodingHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly progress: DocumentProgress,
    private readonly notice: LibraryNotice,
  ) {}

  @Handle(changeEncoding)
  async change(
    { documentId, encoding }: In<typeof changeEncoding>,
    { scope }: RequestContext,
  ): Promise<Out<typeof changeEncoding>> {
    const document = await this.documents.find(scope, documentId);
    if (!document?.inLibrary) throw new CarrelError("document.not-found");
    if (document.blobKey === null) throw new CarrelError("file.original-gone");
    // The original has other documents too: reading it would replace or double them.
    if (document.uploadId !== null || document.sheetCount !== null)
      throw new CarrelError("file.encoding-of-part");
    const queued = await this.dataSource.transaction(async (manager) => {
      const due = await this.documents.requeueAs(scope, manager, documentId, encoding);
      if (!due) return null;
      const rows = await this.workspaceDocuments.requeueEverywhere(scope, manager, documentId);
      await this.outbox.add(manager, parseJob(due, rows[0]?.workspaceId ?? null));
      return rows;
    });
    if (queued === null) return { success: false };
    const now = await this.documents.find(scope, documentId);
    if (now) {
      if (queued.length === 0) this.progress.announce(now, null);
      for (const w of queued) this.progress.announce(now, w);
    }
    this.notice.announce();
    return { success: true };
  }
}
