import { CarrelError, type WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import type { Document } from "../document/document.entity.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { ParsedFileRepository } from "../parsed-file/parsed-file.repository.ts";

/** The documents whose text the caller may read in a workspace. */
@Injectable()
export class ReadableDocuments {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly files: ParsedFileRepository,
  ) {}

  /** A document of the workspace, or a file the caller dropped on one of its chats. */
  async get(scope: WorkspaceScope, documentId: string): Promise<Document> {
    const [w, document] = await Promise.all([
      this.workspaceDocuments.find(scope, documentId),
      this.documents.find(scope, documentId),
    ]);
    if (!document || (!w && !(await this.files.ownsDocument(scope, documentId))))
      throw new CarrelError("document.not-found");
    return document;
  }
}
