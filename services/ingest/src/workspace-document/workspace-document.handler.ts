import {
  CarrelError,
  changeWorkspaceDocuments,
  getDocumentText,
  leaveEmbedQueue,
  listDocumentCounts,
  listDocumentStatuses,
  listWorkspaceDocuments,
  listWorkspacePage,
  removeWorkspaceDocument,
  retryDocument,
  workspaceDocumentsChanged,
  type In,
  type Out,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";
import {
  eventMessage,
  Handle,
  Outbox,
  RequestClient,
  type RequestContext,
} from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { Document } from "../document/document.entity.ts";
import { DocumentReader } from "../document/document-reader.ts";
import { DocumentRemover } from "../document/document-remover.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { ChunkRepository } from "../chunking/chunk.repository.ts";
import { LibraryChanges } from "../library/library-changes.ts";
import { ParsedFileRepository } from "../parsed-file/parsed-file.repository.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import { mapStatus, mapToWire } from "../document/workspace-document.mapper.ts";
import { WorkspaceDocumentListing } from "./workspace-document.listing.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { indexJob, parseJob } from "../document/document-jobs.ts";

const listPageSize = 1000;
/** Maximum bytes of one reply, which is limited to 1 MB. */
const listBytes = 900_000;
const notFound = (): CarrelError =>
  new CarrelError("DOCUMENT_NOT_FOUND", "Document does not exist.");

function requireWorkspace(scope: Scope): WorkspaceScope {
  if (scope.workspace === null)
    throw new CarrelError("WORKSPACE_NOT_FOUND", "Workspace does not exist.");
  return { ...scope, workspace: scope.workspace };
}

@Controller()
export class WorkspaceDocumentHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly client: RequestClient,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly listing: WorkspaceDocumentListing,
    private readonly chunks: ChunkRepository,
    private readonly reader: DocumentReader,
    private readonly remover: DocumentRemover,
    private readonly files: ParsedFileRepository,
    private readonly progress: DocumentProgress,
    private readonly changes: LibraryChanges,
  ) {}

  @Handle(changeWorkspaceDocuments)
  async change(
    input: In<typeof changeWorkspaceDocuments>,
    context: RequestContext,
  ): Promise<Out<typeof changeWorkspaceDocuments>> {
    const scope = requireWorkspace(context.scope);
    const leaving = await this.documents.listIds(scope, input.deletes);
    if (leaving.length > 0)
      await this.changes.start(scope, { kind: "take-out" }, { documentIds: leaving });
    const found = await this.documents.listParsed(scope, input.adds);
    const added = await this.dataSource.transaction(async (manager) => {
      await this.workspaceDocuments.holdWorkspace(scope, manager);
      const there = new Set(
        await this.workspaceDocuments.addAll(
          scope,
          manager,
          found.map((document) => document.id),
          async (rows) => {
            await this.outbox.add(
              manager,
              ...rows.map((row) => indexJob(row, scope.workspace.id)),
              eventMessage(workspaceDocumentsChanged, { workspaceId: scope.workspace.id }),
            );
          },
        ),
      );
      return found.filter((document) => there.has(document.id));
    });
    const byDocpath = new Set(added.map((document) => document.docpath));
    return {
      added: added.map((document) => ({ documentId: document.id, docpath: document.docpath })),
      errors: input.adds
        .filter((docpath) => !byDocpath.has(docpath))
        .map((docpath) => `${docpath} is not in the library.`),
    };
  }

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

  @Handle(retryDocument)
  async retry(
    input: In<typeof retryDocument>,
    context: RequestContext,
  ): Promise<Out<typeof retryDocument>> {
    const scope = requireWorkspace(context.scope);
    const { document } = await this.get(scope, input.documentId);
    const success = await this.dataSource.transaction(async (manager) => {
      if (document.state === "failed") {
        const version = await this.documents.requeue(scope, manager, document.id);
        if (version === null) return false;
        await this.workspaceDocuments.requeue(scope, manager, document.id);
        await this.outbox.add(manager, parseJob(document.id, version, scope.workspace.id));
        return true;
      }
      const row = await this.workspaceDocuments.requeue(scope, manager, document.id);
      if (row) await this.outbox.add(manager, indexJob(row, scope.workspace.id));
      return row !== null;
    });
    if (success) {
      const now = await this.get(scope, input.documentId);
      this.progress.tell(now.document, now.w);
    }
    return { success };
  }

  @Handle(removeWorkspaceDocument)
  async remove(
    input: In<typeof removeWorkspaceDocument>,
    context: RequestContext,
  ): Promise<Out<typeof removeWorkspaceDocument>> {
    const scope = requireWorkspace(context.scope);
    const document = await this.documents.find(scope, input.documentId);
    return {
      success:
        document !== null && (await this.remover.removeFromWorkspace(scope, document, input.purge)),
    };
  }

  /** Removes only documents that aren't searchable yet, which is all the wire's queue contains. */
  @Handle(leaveEmbedQueue)
  async leaveQueue(
    input: In<typeof leaveEmbedQueue>,
    context: RequestContext,
  ): Promise<Out<typeof leaveEmbedQueue>> {
    const scope = requireWorkspace(context.scope);
    if (input.filename.trim() === "") throw new CarrelError("BAD_INPUT", "Missing filename");
    const [document] = await this.documents.listByDocpath(scope, [input.filename]);
    const w = document && (await this.workspaceDocuments.find(scope, document.id));
    if (!document || !w || !["queued", "indexing"].includes(w.state) || w.indexVersion !== null)
      return { success: false };
    return { success: await this.remover.removeFromWorkspace(scope, document, false) };
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

  private async get(scope: WorkspaceScope, documentId: string) {
    const [w, document] = await Promise.all([
      this.workspaceDocuments.find(scope, documentId),
      this.documents.find(scope, documentId),
    ]);
    if (!w || !document) throw notFound();
    return { w, document };
  }
}
