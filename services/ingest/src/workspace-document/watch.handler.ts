import {
  CarrelError,
  describeWatched,
  documentWatchChanged,
  endWatch,
  isWatchable,
  listWatched,
  listWatchedIds,
  updateWatchStatus,
  workspaceDocumentsChanged,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { eventMessage, Handle, Outbox, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { DocumentProgress } from "../document/document-progress.ts";
import type { Document } from "../document/document.entity.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { requireWorkspace } from "../document/workspace-scope.ts";
import { InstanceSettings } from "../setting/instance-settings.ts";
import { WatchedDocumentRepository } from "./watched-document.repository.ts";

@Controller()
export class WatchHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly settings: InstanceSettings,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly watched: WatchedDocumentRepository,
    private readonly progress: DocumentProgress,
  ) {}

  @Handle(updateWatchStatus)
  async update(input: In<typeof updateWatchStatus>, context: RequestContext): Promise<void> {
    const scope = requireWorkspace(context.scope);
    // Checked before any lookup, so a disabled feature doesn't reveal which documents exist.
    if (!(await this.settings.isSyncing())) throw new CarrelError("access.forbidden");
    const [document] = await this.documents.listByDocpath(scope, [input.docPath]);
    if (!document || !(await this.workspaceDocuments.find(scope, document.id)))
      throw new CarrelError("document.not-in-workspace");
    if (input.watchStatus && !isWatchable(document))
      throw new CarrelError("document.not-watchable");
    await this.dataSource.transaction(async (manager) => {
      await this.watched.watch(scope, manager, document.id, input.watchStatus);
      const everywhere = await this.workspaceDocuments.listOfDocument(scope, document.id, manager);
      await this.outbox.add(
        manager,
        eventMessage(documentWatchChanged, { documentIds: [document.id] }),
        ...everywhere.map(({ workspaceId }) =>
          eventMessage(workspaceDocumentsChanged, { workspaceId }),
        ),
      );
    });
    await this.announce(scope, document);
  }

  @Handle(describeWatched)
  async describe(
    { documentIds }: In<typeof describeWatched>,
    { scope }: RequestContext,
  ): Promise<Out<typeof describeWatched>> {
    return { documents: await this.watched.describe(scope, documentIds) };
  }

  @Handle(listWatchedIds)
  async listIds(
    { after, limit }: In<typeof listWatchedIds>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listWatchedIds>> {
    return { documentIds: await this.watched.listIds(scope, after, limit) };
  }

  @Handle(listWatched)
  async list(
    { after, limit, documentId }: In<typeof listWatched>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listWatched>> {
    const rows = await this.watched.list(requireWorkspace(scope), {
      after,
      limit: limit + 1,
      documentId,
    });
    const documents = rows.slice(0, limit);
    return {
      documents,
      next: rows.length > limit ? (documents.at(-1)?.documentId ?? null) : null,
    };
  }

  @Handle(endWatch)
  async end(
    { documentId, isGivenUp }: In<typeof endWatch>,
    { scope }: RequestContext,
  ): Promise<Out<typeof endWatch>> {
    if (await this.watched.end(scope, documentId, isGivenUp)) {
      const document = await this.documents.find(scope, documentId);
      if (document) await this.announce(scope, document);
    }
    return {};
  }

  /** Every workspace with the document shows it. */
  private async announce(scope: Scope, { id }: Pick<Document, "id">): Promise<void> {
    const [document, links] = await Promise.all([
      this.documents.find(scope, id),
      this.workspaceDocuments.listOfDocument(scope, id, this.dataSource.manager),
    ]);
    if (document) for (const link of links) this.progress.announce(document, link);
  }
}
