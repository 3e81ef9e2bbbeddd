import {
  CarrelError,
  getDocumentText,
  listDocumentStatuses,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import type { Document } from "../document/document.entity.ts";
import { DocumentReader } from "../document/document-reader.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { ChunkRepository } from "../chunking/chunk.repository.ts";
import { ParsedFileRepository } from "../parsed-file/parsed-file.repository.ts";
import { mapStatus } from "../document/workspace-document.mapper.ts";
import { WorkspaceDocumentListing } from "./workspace-document.listing.ts";
import { requireWorkspace } from "../document/workspace-scope.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";

const notFound = (): CarrelError => new CarrelError("document.not-found");

/** Reads the documents of a workspace. */
@Controller()
export class WorkspaceDocumentHandler {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly listing: WorkspaceDocumentListing,
    private readonly chunks: ChunkRepository,
    private readonly reader: DocumentReader,
    private readonly files: ParsedFileRepository,
  ) {}

  @Handle(listDocumentStatuses)
  async statuses(
    input: In<typeof listDocumentStatuses>,
    context: RequestContext,
  ): Promise<Out<typeof listDocumentStatuses>> {
    const scope = requireWorkspace(context.scope);
    const [{ rows, total, nextCursor }, { passages }] = await Promise.all([
      this.listing.listPage(scope, input),
      this.chunks.summary(scope),
    ]);
    return { documents: rows.map(({ d, w }) => mapStatus(d, w)), total, nextCursor, passages };
  }

  @Handle(getDocumentText)
  async text(
    input: In<typeof getDocumentText>,
    context: RequestContext,
  ): Promise<Out<typeof getDocumentText>> {
    const scope = requireWorkspace(context.scope);
    return this.reader.read(scope, await this.getReadable(scope, input.documentId), input);
  }

  /** A document of the workspace, or a file the caller dropped on one of its chats. */
  private async getReadable(scope: WorkspaceScope, documentId: string): Promise<Document> {
    const [w, document] = await Promise.all([
      this.workspaceDocuments.find(scope, documentId),
      this.documents.find(scope, documentId),
    ]);
    if (!document || (!w && !(await this.files.ownsDocument(scope, documentId)))) throw notFound();
    return document;
  }
}
