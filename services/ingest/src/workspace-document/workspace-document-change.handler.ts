import {
  CarrelError,
  changeWorkspaceDocuments,
  hasMemberRight,
  leaveEmbedQueue,
  removeWorkspaceDocument,
  retryDocument,
  workspaceDocumentsChanged,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { eventMessage, Handle, Outbox, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { indexJob, parseJob } from "../document/document-jobs.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import { DocumentRemover } from "../document/document-remover.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { requireWorkspace } from "../document/workspace-scope.ts";
import { LibraryChanges } from "../library/library-changes.ts";

const notFound = (): CarrelError => new CarrelError("document.not-found");

/** Adds documents to a workspace, retries and removes them. */
@Controller()
export class WorkspaceDocumentChangeHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly remover: DocumentRemover,
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
    const readable = input.areNew ? undefined : scope.principal.workspaceIds;
    const found = await this.documents.listParsed(scope, input.adds, readable);
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
        .map((docpath) => ({ code: "document.not-in-library", params: { docpath } })),
    };
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
        const due = await this.documents.requeue(scope, manager, document.id);
        if (!due) return false;
        await this.workspaceDocuments.requeue(scope, manager, document.id);
        await this.outbox.add(manager, parseJob(due, scope.workspace.id));
        return true;
      }
      const row = await this.workspaceDocuments.requeue(scope, manager, document.id);
      if (row) await this.outbox.add(manager, indexJob(row, scope.workspace.id));
      return row !== null;
    });
    if (success) {
      const now = await this.get(scope, input.documentId);
      this.progress.announce(now.document, now.w);
    }
    return { success };
  }

  @Handle(removeWorkspaceDocument)
  async remove(
    input: In<typeof removeWorkspaceDocument>,
    context: RequestContext,
  ): Promise<Out<typeof removeWorkspaceDocument>> {
    const scope = requireWorkspace(context.scope);
    const [document, w] = await Promise.all([
      this.documents.find(scope, input.documentId),
      this.workspaceDocuments.find(scope, input.documentId),
    ]);
    if (document === null) return { success: false };
    const { principal } = scope;
    if (principal.role !== "default")
      return { success: await this.remover.removeFromWorkspace(scope, document, input.purge) };
    // Members remove what they have added, and anything from workspaces they have created and may
    // manage, but from the library only what they have uploaded.
    if (!hasMemberRight(scope, "createWorkspaces") && w?.userId !== principal.userId)
      throw new CarrelError("access.documents-of-others");
    const purge = input.purge && document.userId === principal.userId;
    return { success: await this.remover.removeFromWorkspace(scope, document, purge) };
  }

  /** Removes only documents that aren't searchable yet, which is all the wire's queue contains. */
  @Handle(leaveEmbedQueue)
  async leaveQueue(
    input: In<typeof leaveEmbedQueue>,
    context: RequestContext,
  ): Promise<Out<typeof leaveEmbedQueue>> {
    const scope = requireWorkspace(context.scope);
    if (input.filename.trim() === "") throw new CarrelError("document.filename-missing");
    const [document] = await this.documents.listByDocpath(scope, [input.filename]);
    const w = document && (await this.workspaceDocuments.find(scope, document.id));
    if (!document || !w || !["queued", "indexing"].includes(w.state) || w.indexVersion !== null)
      return { success: false };
    return { success: await this.remover.removeFromWorkspace(scope, document, false) };
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
