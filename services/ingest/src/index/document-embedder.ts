import {
  embedDocument,
  servicePrincipal,
  workspaceDocumentsChanged,
  type JobPayload,
} from "@carrel/contracts";
import { eventMessage, Outbox, Process, type JobContext } from "@carrel/messaging";
import { ProviderError } from "@carrel/providers";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { Document } from "../document/document.entity.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { buildPublicationId } from "../chunking/chunk-id.ts";
import { ChunkRepository } from "../chunking/chunk.repository.ts";
import { IndexStore } from "./index-store.ts";
import { SearchIndexRepository } from "./search-index.repository.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { ByteBudget } from "../work-pool/byte-budget.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { serviceScope } from "../document/workspace-scope.ts";
import { ChunkVectors } from "../embedding/chunk-vectors.ts";
import { Embedder, type ReadyEmbedder } from "./embedder.ts";
import { IndexingRepository } from "./indexing.repository.ts";
import { IndexGarbage } from "./index-garbage.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** Longer than one call to a slow embedder; renewed after each. */
const leaseMs = 180_000;
const pageSize = 512;
/**
 * Chunks whose vectors are in memory at the same time: four full pages, or those of many small
 * documents, which then share the commits of the index.
 */
const chunksInMemory = 4 * pageSize;
const retryMs = { soon: 30_000, later: 300_000 };

/**
 * Vectors of a searchable workspace document, then, in one transaction, *embedded*. Without an
 * embedder it stays searchable.
 */
@Injectable()
export class DocumentEmbedder {
  private readonly budget = new ByteBudget(chunksInMemory);

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly chunks: ChunkRepository,
    private readonly embedder: Embedder,
    private readonly vectors: ChunkVectors,
    private readonly index: IndexStore,
    private readonly indexes: SearchIndexRepository,
    private readonly progress: DocumentProgress,
    private readonly indexing: IndexingRepository,
    private readonly garbage: IndexGarbage,
  ) {}

  @Process(embedDocument, { concurrency: 10 })
  async run(payload: JobPayload<typeof embedDocument>, context: JobContext): Promise<void> {
    const ready = await this.embedder.findReady();
    // Not ready: the reconciler asks again when it is.
    if (!ready) return;
    const claim = await this.indexing.claim(
      scope,
      payload.workspaceDocumentId,
      payload.version,
      "embedding",
      leaseMs,
    );
    const w = claim?.w;
    const document = w && (await this.documents.find(scope, w.documentId));
    if (!w || !document || w.indexVersion === null) return;
    this.progress.tell(document, w);
    try {
      if (
        !(await this.budget.use(Math.min(pageSize, w.chunkCount), () =>
          this.embed(document, w, ready, context.signal, claim.first),
        ))
      )
        return;
    } catch (fault) {
      if (!(fault instanceof ProviderError) && !context.lastAttempt) throw fault;
      const [reason, wait] =
        fault instanceof ProviderError
          ? [
              fault.message,
              Math.max(fault.retryAfterMs ?? 0, fault.isRetryable ? retryMs.soon : retryMs.later),
            ]
          : ["The vectors could not be stored.", retryMs.later];
      await this.indexing.postponeEmbedding(scope, w.id, w.version, reason, wait);
      this.progress.tell(document, { ...w, state: "searchable", reason });
      if (!(fault instanceof ProviderError)) throw fault;
      return;
    }
    this.progress.tell(document, {
      ...w,
      state: "embedded",
      reason: null,
      chunksDone: w.chunkCount,
    });
  }

  /** False when the document went meanwhile, or another index answers by now. */
  private async embed(
    document: Document,
    w: WorkspaceDocument,
    { name, model, table, indexId, dimensions }: ReadyEmbedder,
    signal: AbortSignal,
    first: boolean,
  ): Promise<boolean> {
    const indexVersion = w.indexVersion!;
    const publication = buildPublicationId(w.id, indexVersion);
    let done = 0;
    for (let after = -1; ;) {
      const page = await this.chunks.listPage(
        serviceScope(w.workspaceId),
        w.id,
        indexVersion,
        after,
        pageSize,
      );
      if (page.length === 0) break;
      after = page.at(-1)!.ordinal;
      const vectors = await this.vectors.make(
        document.id,
        page,
        { name, model },
        signal,
        async (count) => {
          done += count;
          await this.indexing.noteProgress(scope, w.id, w.version, done, w.chunkCount, leaseMs);
          this.progress.tell(document, { ...w, state: "embedding", chunksDone: done });
        },
      );
      const known = { model: table, dimensions: vectors[0]!.length };
      if (dimensions !== known.dimensions)
        await this.indexes.saveDimensions(scope, indexId, known.dimensions);
      const index = await this.index.vectors(known);
      const rows = page.map((chunk, n) => ({
        id: chunk.id,
        workspaceId: w.workspaceId,
        documentId: publication,
        version: indexVersion,
        vector: vectors[n]!,
      }));
      await index.upsert(rows, { first: first && (() => this.indexing.holds(scope, w)) });
      if (page.length < pageSize) break;
    }
    return this.dataSource.transaction(async (manager) => {
      if (
        !(await this.indexing.publishEmbedded(scope, manager, w.id, w.version, indexVersion, table))
      ) {
        const now = await this.workspaceDocuments.findById(scope, w.id, manager);
        // Removed, or indexed anew: the vectors just written belong to nobody.
        if (now?.indexVersion !== indexVersion)
          await this.garbage.add(serviceScope(w.workspaceId), manager, publication);
        return false;
      }
      await this.outbox.add(
        manager,
        eventMessage(workspaceDocumentsChanged, { workspaceId: w.workspaceId }),
      );
      return true;
    });
  }
}
