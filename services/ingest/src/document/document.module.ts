import {
  findMissingWorkspaces,
  multiUserEnabled,
  servicePrincipal,
  workspaceDeleted,
  type EventPayload,
  documentAccessChanged,
  listHiddenDocuments,
  setDocumentAccess,
  workspaceDocumentsChanged,
  type In,
  type Out,
} from "@carrel/contracts";
import { OwnerTransfer } from "@carrel/database";
import {
  Consume,
  OrphanReconciler,
  Reconciler,
  RequestClient,
  eventMessage,
  type OutboxMessage,
  Handle,
  Outbox,
  type RequestContext,
} from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable, Module, type OnModuleDestroy, Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { BlobModule } from "../blob/blob.module.ts";
import { AudienceRepository } from "./audience.repository.ts";
import { DocumentProgress } from "./document-progress.ts";
import { DocumentReader } from "./document-reader.ts";
import { DocumentRemover } from "./document-remover.ts";
import { DocumentLanguageRepository, DocumentRepository } from "./document.repository.ts";
import { LibraryNotice } from "./library-notice.ts";
import { readerOf } from "./reader.ts";
import { TextRepository } from "./text.repository.ts";
import { WorkspaceDocumentRemoval } from "./workspace-document-removal.ts";
import { WorkspaceDocumentRepository } from "./workspace-document.repository.ts";

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Says and changes who may see documents. */
@Controller()
class DocumentAccessHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly audiences: AudienceRepository,
    private readonly notice: LibraryNotice,
  ) {}

  @Handle(setDocumentAccess)
  async set({
    documentIds,
    readers,
  }: In<typeof setDocumentAccess>): Promise<Out<typeof setDocumentAccess>> {
    const changed = await this.dataSource.transaction(async (manager) => {
      const audienceId = readers === null ? null : await this.audiences.ensure(manager, readers);
      const { documents, workspaceIds } = await this.audiences.restrict(
        manager,
        documentIds,
        audienceId,
      );
      await this.outbox.add(
        manager,
        ...workspaceIds.map((workspaceId) =>
          eventMessage(workspaceDocumentsChanged, { workspaceId }),
        ),
        ...(documents > 0 ? [eventMessage(documentAccessChanged, {})] : []),
      );
      return documents;
    });
    if (changed > 0) this.notice.announce();
    return { changed };
  }

  @Handle(listHiddenDocuments)
  async listHidden(
    { documentIds }: In<typeof listHiddenDocuments>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listHiddenDocuments>> {
    const ids = documentIds.filter((id) => uuid.test(id));
    return { hidden: await this.audiences.listHidden(readerOf(scope), ids) };
  }
}

const ownedBy = { ownerColumn: "user_id", createdColumn: "created_at" };

/** Makes the first admin the owner of documents and thread files from single-user mode. */
@Injectable()
class DocumentOwnerTransfer extends Reconciler implements OnModuleDestroy {
  private readonly transfer: OwnerTransfer;

  constructor(dataSource: DataSource, @Inject(LOGGER) logger: Logger) {
    super();
    this.transfer = new OwnerTransfer(dataSource, {
      schema: "ingest",
      tables: [
        { table: "document", ...ownedBy },
        { table: "workspace_document", ...ownedBy },
        { table: "parsed_file", ...ownedBy },
      ],
      onError: (error) =>
        logger.warn({ err: error }, "documents couldn't be transferred, will be retried"),
    });
  }

  @Consume(multiUserEnabled)
  async start({ adminId, at }: EventPayload<typeof multiUserEnabled>): Promise<void> {
    await this.transfer.start(adminId, at);
  }

  override async due(): Promise<OutboxMessage[]> {
    await this.transfer.resume();
    return [];
  }

  async onModuleDestroy(): Promise<void> {
    await this.transfer.stop();
  }
}

const scope = { principal: servicePrincipal, workspace: null };

/** Deletes the remains of deleted workspaces; the library keeps its documents. */
@Injectable()
class WorkspaceOrphanReconciler extends OrphanReconciler {
  constructor(
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly requests: RequestClient,
  ) {
    super();
  }

  protected override listIds(after: number, limit: number): Promise<number[]> {
    return this.workspaceDocuments.listWorkspaceIds(scope, after, limit);
  }

  protected override async findMissing(ids: number[]): Promise<number[]> {
    return (await this.requests.request(findMissingWorkspaces, { ids }, { scope })).ids;
  }

  protected override deletionOf(workspaceId: number): OutboxMessage {
    return eventMessage(workspaceDeleted, { workspaceId });
  }
}

@Module({
  imports: [BlobModule],
  controllers: [DocumentAccessHandler],
  providers: [
    AudienceRepository,
    DocumentLanguageRepository,
    DocumentOwnerTransfer,
    DocumentProgress,
    DocumentReader,
    DocumentRemover,
    DocumentRepository,
    LibraryNotice,
    WorkspaceOrphanReconciler,
    TextRepository,
    WorkspaceDocumentRemoval,
    WorkspaceDocumentRepository,
  ],
  exports: [
    AudienceRepository,
    DocumentLanguageRepository,
    DocumentProgress,
    DocumentReader,
    DocumentRemover,
    DocumentRepository,
    LibraryNotice,
    TextRepository,
    WorkspaceDocumentRemoval,
    WorkspaceDocumentRepository,
  ],
})
export class DocumentModule {}
