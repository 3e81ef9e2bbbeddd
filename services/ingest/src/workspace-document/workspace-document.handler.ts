import {
  CarrelError,
  getDocumentText,
  listDocumentCounts,
  listDocumentStatuses,
  listWorkspaceDocuments,
  listWorkspacePage,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import type { Document } from "../document/document.entity.ts";
import { DocumentReader } from "../document/document-reader.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { ChunkRepository } from "../chunking/chunk.repository.ts";
import { ParsedFileRepository } from "../parsed-file/parsed-file.repository.ts";
import { mapStatus, mapToWire } from "../document/workspace-document.mapper.ts";
import { WorkspaceDocumentListing } from "./workspace-document.listing.ts";
import { requireWorkspace } from "../document/workspace-scope.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";

const listPageSize = 1000;
/** Maximum bytes of one reply, which is limited to 1 MB. */
const listBytes = 900_000;
const notFound = (): CarrelError => new CarrelError("document.not-found");

/** Reads the documents of a workspace. */
@Controller()
export class WorkspaceDocumentHandler {
  constructor(
    private readonly client: RequestClient,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly listing: WorkspaceDocumentListing,
    private readonly chunks: ChunkRepository,
    private readonly reader: DocumentReader,
    private readonly files: ParsedFileRepository,
  ) {}

  @Handle(listWorkspaceDocuments)
  async list(
    input: In<typeof listWorkspaceDocuments>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listWorkspaceDocuments>> {
    const rows = await this.listing.listSearchable(
      requireWorkspace(scope),
      input.after,
      listPageSize,
      input.documentIds,
    );
    const documents: Out<typeof listWorkspaceDocuments>["documents"] = [];
    let bytes = 0;
    for (const { d, w } of rows) {
      const document = mapToWire(d, w);
      bytes += Buffer.byteLength(JSON.stringify(document)) + 1;
      // Long descriptions can fill a reply early; the next page continues here.
      if (bytes > listBytes && documents.length > 0)
        return { documents, next: documents.at(-1)!.id };
      documents.push(document);
    }
    return { documents, next: rows.length < listPageSize ? null : rows.at(-1)!.w.id };
  }

  @Handle(listDocumentStatuses)
  async statuses(
    input: In<typeof listDocumentStatuses>,
    context: RequestContext,
  ): Promise<Out<typeof listDocumentStatuses>> {
    const scope = requireWorkspace(context.scope);
    const [{ rows, total }, { passages }] = await Promise.all([
      this.listing.listPage(scope, input),
      this.chunks.summary(scope),
    ]);
    return { documents: rows.map(({ d, w }) => mapStatus(d, w)), total, passages };
  }

  @Handle(listDocumentCounts)
  async counts(
    _input: In<typeof listDocumentCounts>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listDocumentCounts>> {
    const usable: number[] = [];
    // Paged because a reply between services is limited to 1 MB.
    for (let after: number | null = null; ;) {
      const page: Out<typeof listWorkspacePage> = await this.client.request(
        listWorkspacePage,
        { after },
        { scope },
      );
      usable.push(...page.workspaces.map(({ id }) => id));
      if (page.next === null) return { counts: await this.listing.count(scope, usable) };
      after = page.next;
    }
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
