import { randomUUID } from "node:crypto";
import {
  CarrelError,
  confirmWorkspaceDeleted,
  getDocumentText,
  listDocumentCounts,
  listDocumentStatuses,
  listWorkspaceIds,
  readWorkspaceDocuments,
  servicePrincipal,
  updatePin,
  workspaceDeleted,
  workspaceDocumentsChanged,
  type EventPayload,
  type In,
  type Out,
  type WorkspaceScope,
  findPageStart,
  lookUpDocuments,
  readDocumentPart,
  countVectors,
  eventLogged,
  resetVectorDatabase,
  resolveWorkspace,
  type Scope,
} from "@carrel/contracts";
import {
  Consume,
  Handle,
  Outbox,
  RequestClient,
  eventMessage,
  type RequestContext,
} from "@carrel/messaging";
import { Controller, Injectable, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { ChunkRepository } from "../chunking/chunk.repository.ts";
import { ChunkingModule } from "../chunking/chunking.module.ts";
import { AudienceRepository } from "../document/audience.repository.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import { DocumentReader } from "../document/document-reader.ts";
import type { Document } from "../document/document.entity.ts";
import { mapStatus } from "../document/document.mapper.ts";
import { DocumentModule } from "../document/document.module.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { WorkspaceDocumentRemoval } from "../document/workspace-document-removal.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { requireWorkspace } from "../document/workspace-scope.ts";
import { Embedder } from "../index/embedder.ts";
import { IndexGarbage } from "../index/index-garbage.ts";
import { IndexSweeper } from "../index/index-sweeper.ts";
import { IndexModule } from "../index/index.module.ts";
import { LibraryModule } from "../library/library.module.ts";
import { ParsedFileModule } from "../parsed-file/parsed-file.module.ts";
import { ParsedFileRepository } from "../parsed-file/parsed-file.repository.ts";
import { RevisionModule } from "../revision/revision.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { DocumentLookup } from "./document-lookup.ts";
import { DocumentParts } from "./document-parts.ts";
import { DocumentVersionHandler } from "./document-version.handler.ts";
import { WatchHandler } from "./watch.handler.ts";
import { WatchedDocumentRepository } from "./watched-document.repository.ts";
import { WorkspaceDocumentChangeHandler } from "./workspace-document-change.handler.ts";
import {
  WorkspaceDocumentListing,
  WorkspaceDocumentReadRepository,
} from "./workspace-document.listing.ts";

/** The documents whose text the caller may read in a workspace. */
@Injectable()
class ReadableDocuments {
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

/** Counts a workspace's vectors and resets its vector database. */
@Controller()
class ResetHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly client: RequestClient,
    private readonly progress: DocumentProgress,
    private readonly documents: WorkspaceDocumentRepository,
    private readonly removal: WorkspaceDocumentRemoval,
    private readonly embedder: Embedder,
  ) {}

  /**
   * Deletes the rows in one transaction, so the effect is immediate; index rows follow. Does
   * nothing and sends no events for a workspace without documents.
   */
  @Handle(resetVectorDatabase)
  async reset(_input: In<typeof resetVectorDatabase>, context: RequestContext): Promise<void> {
    const scope = requireWorkspace(context.scope);
    const {
      principal,
      address,
      workspace: { id: workspaceId, slug },
    } = scope;
    const removed = await this.dataSource.transaction(async (manager) => {
      const all = await this.removal.removeAll(scope, manager);
      if (all === null) return [];
      const by = principal.keyId === undefined ? {} : { apiKeyId: principal.keyId };
      await this.outbox.add(
        manager,
        eventMessage(eventLogged, {
          id: randomUUID(),
          event: "workspace_vectors_reset",
          userId: principal.userId,
          occurredAt: new Date().toISOString(),
          metadata: {
            workspaceId,
            workspaceSlug: slug,
            documents: all.removed,
            ...by,
            ...(address === undefined ? {} : { address }),
          },
        }),
      );
      return all.documentIds;
    });
    for (const documentId of removed) this.progress.announceRemoval(workspaceId, documentId, null);
  }

  /**
   * Without an embedder it counts searchable passages, because existing clients take 0 for a
   * workspace without documents.
   */
  @Handle(countVectors)
  async count(
    input: In<typeof countVectors>,
    { scope }: RequestContext,
  ): Promise<Out<typeof countVectors>> {
    const workspaceId = input.slug ? await this.findWorkspace(scope, input.slug) : null;
    if (workspaceId === undefined) return { vectorCount: 0 };
    const isUnembedded = (await this.embedder.findReady()) === null;
    return { vectorCount: await this.documents.countPassages(scope, workspaceId, isUnembedded) };
  }

  private async findWorkspace(scope: Scope, slug: string): Promise<number | undefined> {
    try {
      return (await this.client.request(resolveWorkspace, { slug }, { scope })).scope.workspace?.id;
    } catch (error) {
      if (error instanceof CarrelError && error.kind === "WORKSPACE_NOT_FOUND") return undefined;
      throw error;
    }
  }
}

/** What agents read of a workspace's documents. */
@Controller()
class DocumentLookupHandler {
  constructor(
    private readonly lookup: DocumentLookup,
    private readonly readable: ReadableDocuments,
    private readonly parts: DocumentParts,
  ) {}

  @Handle(lookUpDocuments)
  find(
    input: In<typeof lookUpDocuments>,
    { scope }: RequestContext,
  ): Promise<Out<typeof lookUpDocuments>> {
    return this.lookup.find(requireWorkspace(scope), input);
  }

  @Handle(readDocumentPart)
  async part(
    { documentId, ...range }: In<typeof readDocumentPart>,
    context: RequestContext,
  ): Promise<Out<typeof readDocumentPart>> {
    const scope = requireWorkspace(context.scope);
    return this.parts.read(scope, await this.readable.get(scope, documentId), range);
  }

  @Handle(findPageStart)
  async pageStart(
    { documentId, page }: In<typeof findPageStart>,
    context: RequestContext,
  ): Promise<Out<typeof findPageStart>> {
    const scope = requireWorkspace(context.scope);
    const document = await this.readable.get(scope, documentId);
    return { start: await this.parts.pageStart(scope, document, page) };
  }
}

/** Reads the documents of a workspace. */
@Controller()
class WorkspaceDocumentHandler {
  constructor(
    private readonly listing: WorkspaceDocumentListing,
    private readonly chunks: ChunkRepository,
    private readonly reader: DocumentReader,
    private readonly readable: ReadableDocuments,
    private readonly audiences: AudienceRepository,
  ) {}

  @Handle(listDocumentStatuses)
  async statuses(
    input: In<typeof listDocumentStatuses>,
    context: RequestContext,
  ): Promise<Out<typeof listDocumentStatuses>> {
    const scope = requireWorkspace(context.scope);
    const [{ rows, total, nextCursor }, passages] = await Promise.all([
      this.listing.listPage(scope, input),
      this.countPassages(scope),
    ]);
    const access = await this.audiences.describe(rows.map(({ d }) => d));
    return {
      documents: rows.map(({ d, w }) => ({ ...mapStatus(d, w), access: access.get(d.id)! })),
      total,
      nextCursor,
      passages,
    };
  }

  @Handle(getDocumentText)
  async text(
    input: In<typeof getDocumentText>,
    context: RequestContext,
  ): Promise<Out<typeof getDocumentText>> {
    const scope = requireWorkspace(context.scope);
    return this.reader.read(scope, await this.readable.get(scope, input.documentId), input);
  }

  private async countPassages(scope: WorkspaceScope): Promise<number> {
    const { passages, restricted } = await this.chunks.summary(scope);
    return restricted === 0 ? passages : passages - (await this.chunks.countHidden(scope)).passages;
  }
}

/** What views of workspaces and sidebars show of documents. */
@Controller()
class WorkspaceDocumentReadHandler {
  constructor(
    private readonly client: RequestClient,
    private readonly listing: WorkspaceDocumentListing,
    private readonly reads: WorkspaceDocumentReadRepository,
  ) {}

  @Handle(readWorkspaceDocuments)
  read(
    { after, documentIds }: In<typeof readWorkspaceDocuments>,
    { scope }: RequestContext,
  ): Promise<Out<typeof readWorkspaceDocuments>> {
    return this.reads.page(requireWorkspace(scope), after, documentIds ?? null);
  }

  @Handle(listDocumentCounts)
  async counts(
    _input: In<typeof listDocumentCounts>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listDocumentCounts>> {
    const usable: number[] = [];
    // Paged because a reply between services is limited to 1 MB.
    for (let after: number | null = null; ;) {
      const page: Out<typeof listWorkspaceIds> = await this.client.request(
        listWorkspaceIds,
        { after },
        { scope },
      );
      usable.push(...page.ids);
      if (page.next === null) return { counts: await this.listing.count(scope, usable) };
      after = page.next;
    }
  }
}

const scope = { principal: servicePrincipal, workspace: null };

/** Deletes a workspace's document links and files; the documents stay in the library. */
@Injectable()
class WorkspaceDeletedConsumer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly removal: WorkspaceDocumentRemoval,
    private readonly garbage: IndexGarbage,
    private readonly sweeper: IndexSweeper,
    private readonly files: ParsedFileRepository,
    private readonly client: RequestClient,
  ) {}

  @Consume(workspaceDeleted)
  async consume({ workspaceId }: EventPayload<typeof workspaceDeleted>): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.removal.removeWorkspace(scope, manager, workspaceId);
      await this.garbage.addWorkspace(scope, manager, workspaceId);
    });
    await this.files.deleteOfWorkspace(scope, workspaceId);
    await this.sweeper.sweep({ workspaceId, version: 0 });
    await this.client.request(
      confirmWorkspaceDeleted,
      { workspaceId, service: "ingest" },
      { scope },
    );
  }
}

@Controller()
class PinHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly progress: DocumentProgress,
  ) {}

  @Handle(updatePin)
  async update(input: In<typeof updatePin>, context: RequestContext): Promise<void> {
    const scope = requireWorkspace(context.scope);
    const [document] = await this.documents.listByDocpath(scope, [input.docPath]);
    const w =
      document &&
      (await this.dataSource.transaction(async (manager) => {
        const pinned = await this.workspaceDocuments.pin(
          scope,
          manager,
          document.id,
          input.pinStatus,
        );
        if (pinned)
          await this.outbox.add(
            manager,
            eventMessage(workspaceDocumentsChanged, { workspaceId: scope.workspace.id }),
          );
        return pinned && this.workspaceDocuments.find(scope, document.id, manager);
      }));
    if (!document || !w) throw new CarrelError("document.not-in-workspace");
    this.progress.announce(document, w);
  }
}

@Module({
  imports: [
    SettingModule,
    DocumentModule,
    ChunkingModule,
    IndexModule,
    ParsedFileModule,
    LibraryModule,
    RevisionModule,
  ],
  controllers: [
    DocumentLookupHandler,
    DocumentVersionHandler,
    PinHandler,
    ResetHandler,
    WatchHandler,
    WorkspaceDocumentChangeHandler,
    WorkspaceDocumentHandler,
    WorkspaceDocumentReadHandler,
  ],
  providers: [
    DocumentLookup,
    DocumentParts,
    ReadableDocuments,
    WatchedDocumentRepository,
    WorkspaceDeletedConsumer,
    WorkspaceDocumentListing,
    WorkspaceDocumentReadRepository,
  ],
})
export class WorkspaceDocumentModule {}
