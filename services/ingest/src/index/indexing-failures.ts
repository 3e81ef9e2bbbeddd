import {
  embedDocument,
  indexDocument,
  servicePrincipal,
  type JobPayload,
  type KnownFault,
} from "@carrel/contracts";
import { ProcessFailed } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DocumentProgress } from "../document/document-progress.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { IndexingRepository } from "./indexing.repository.ts";
import { PostponementRepository } from "./postponement.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** Embedding may be cured by a later version, so it is retried from time to time. */
const retryEmbeddingMs = 300_000;

/** Marks workspace documents whose jobs failed for good. */
@Injectable()
export class IndexingFailures {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly indexing: IndexingRepository,
    private readonly postponements: PostponementRepository,
    private readonly progress: DocumentProgress,
  ) {}

  @ProcessFailed(indexDocument)
  async endIndexing({
    workspaceDocumentId: id,
    version,
  }: JobPayload<typeof indexDocument>): Promise<void> {
    const reason: KnownFault = { code: "document.not-indexed" };
    const w = await this.indexing.find(scope, id);
    if (w?.version === version && (await this.indexing.fail(scope, w, reason)))
      await this.announce({ ...w, state: "failed", reason });
  }

  /** The document stays searchable by its words. */
  @ProcessFailed(embedDocument)
  async endEmbedding({
    workspaceDocumentId: id,
    version,
  }: JobPayload<typeof embedDocument>): Promise<void> {
    const reason: KnownFault = { code: "document.vectors-not-stored" };
    const w = await this.indexing.find(scope, id);
    if (
      w?.version === version &&
      (await this.postponements.postponeEmbedding(scope, w, reason, retryEmbeddingMs))
    )
      await this.announce({ ...w, state: "searchable", reason });
  }

  private async announce(w: WorkspaceDocument): Promise<void> {
    const document = await this.documents.find(scope, w.documentId);
    if (document) this.progress.announce(document, w);
  }
}
