import { randomUUID } from "node:crypto";
import {
  CarrelError,
  countVectors,
  eventLogged,
  resetVectorDatabase,
  resolveWorkspace,
  type In,
  type Out,
  type Scope,
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
import { DocumentProgress } from "../document/document-progress.ts";
import { WorkspaceDocumentRemoval } from "../document/workspace-document-removal.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { requireWorkspace } from "../document/workspace-scope.ts";
import { Embedder } from "../index/embedder.ts";

/** Counts a workspace's vectors and resets its vector database. */
@Controller()
export class ResetHandler {
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
