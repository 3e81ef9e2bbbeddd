import {
  embedDocument,
  servicePrincipal,
  type JobPayload,
  type KnownFault,
} from "@carrel/contracts";
import { Process, type JobContext } from "@carrel/messaging";
import { ProviderError } from "@carrel/providers";
import { Injectable } from "@nestjs/common";
import { ChunkRepository } from "../chunking/chunk.repository.ts";
import type { Document } from "../document/document.entity.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { serviceScope } from "../document/workspace-scope.ts";
import { Semaphore } from "../work-pool/semaphore.ts";
import { DocumentPublisher } from "./document-publisher.ts";
import { Embedder, type ReadyEmbedder } from "./embedder.ts";
import { IndexingRepository } from "./indexing.repository.ts";
import { VectorWriter } from "./vector-writer.ts";

const scope = { principal: servicePrincipal, workspace: null };
const pageSize = 512;
/**
 * Limit on chunks whose vectors are in memory at once: four full pages, or many small documents
 * that then share the index's commits.
 */
const chunksInMemory = 4 * pageSize;
const retryMs = { soon: 30_000, later: 300_000 };

/**
 * Embeds the chunks of a searchable workspace document and publishes the vectors. Without an
 * embedder, the document stays searchable by full text.
 */
@Injectable()
export class DocumentEmbedder {
  private readonly budget = new Semaphore(chunksInMemory);

  constructor(
    private readonly indexing: IndexingRepository,
    private readonly chunks: ChunkRepository,
    private readonly embedder: Embedder,
    private readonly writer: VectorWriter,
    private readonly publisher: DocumentPublisher,
    private readonly progress: DocumentProgress,
  ) {}

  @Process(embedDocument, { concurrency: 10 })
  async run(payload: JobPayload<typeof embedDocument>, context: JobContext): Promise<void> {
    const ready = await this.embedder.findReady();
    // The reconciler requeues the document when the embedder is ready.
    if (!ready) return;
    const claim = await this.indexing.claimDocument(
      scope,
      payload.workspaceDocumentId,
      payload.version,
      "embedding",
    );
    if (!claim || claim.w.indexVersion === null) return;
    const { w, document, first } = claim;
    this.progress.announce(document, w);
    try {
      const isPublished = await this.budget.use(Math.min(pageSize, w.chunkCount), () =>
        this.embed(document, w, ready, context.signal, first),
      );
      if (!isPublished) return;
    } catch (fault) {
      if (!(fault instanceof ProviderError) && !context.lastAttempt) throw fault;
      const [reason, wait]: [KnownFault, number] =
        fault instanceof ProviderError
          ? [
              fault.fault,
              Math.max(fault.retryAfterMs ?? 0, fault.isRetryable ? retryMs.soon : retryMs.later),
            ]
          : [{ code: "document.vectors-not-stored" }, retryMs.later];
      await this.indexing.postponeEmbedding(scope, w.id, w.version, reason, wait);
      this.progress.announce(document, { ...w, state: "searchable", reason });
      if (!(fault instanceof ProviderError)) throw fault;
      return;
    }
    this.progress.announce(document, {
      ...w,
      state: "embedded",
      reason: null,
      chunksDone: w.chunkCount,
    });
  }

  private async embed(
    document: Document,
    w: WorkspaceDocument,
    ready: ReadyEmbedder,
    signal: AbortSignal,
    first: boolean,
  ): Promise<boolean> {
    const indexVersion = w.indexVersion!;
    const workspace = serviceScope(w.workspaceId);
    let done = 0;
    const onProgress = async (count: number): Promise<void> => {
      done += count;
      await this.indexing.noteProgress(scope, w, done, w.chunkCount);
      this.progress.announce(document, { ...w, state: "embedding", chunksDone: done });
    };
    for (let after = -1; ;) {
      const page = await this.chunks.listPage(workspace, w.id, indexVersion, after, pageSize);
      if (page.length === 0) break;
      after = page.at(-1)!.ordinal;
      await this.writer.write(ready, { ...w, indexVersion }, page, {
        named: ready,
        signal,
        onProgress,
        first: first && (() => this.indexing.holds(scope, w)),
      });
      if (page.length < pageSize) break;
    }
    return this.publisher.publishEmbedded(w, indexVersion, ready.table);
  }
}
