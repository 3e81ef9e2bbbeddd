import { embedDocument, servicePrincipal, type JobPayload } from "@carrel/contracts";
import { Process, type JobContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { ChunkRepository, type ChunkRow } from "../chunking/chunk.repository.ts";
import type { Document } from "../document/document.entity.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { serviceScope } from "../document/workspace-scope.ts";
import { Semaphore } from "../work-pool/semaphore.ts";
import { DocumentPublisher } from "./document-publisher.ts";
import { DocumentWaits } from "./document-waits.ts";
import { Embedder, type ReadyEmbedder } from "./embedder.ts";
import { IndexingRepository, type EmbeddingLease } from "./indexing.repository.ts";
import { VectorWriter } from "./vector-writer.ts";

const scope = { principal: servicePrincipal, workspace: null };
const pageSize = 512;
/**
 * Limit on chunks whose vectors are in memory at once: four full pages, or many small documents
 * that then share the index's commits.
 */
const maxChunksInMemory = 4 * pageSize;

export type WritableChunk = Omit<ChunkRow, "ordinal"> & { text?: string };

/** A version whose chunks this job embeds; the job holds the row by its `run`. */
export interface EmbeddingRun {
  document: Document;
  w: WorkspaceDocument;
  pages: Iterable<WritableChunk[]> | AsyncIterable<WritableChunk[]>;
  lease: EmbeddingLease;
  /** True if no earlier run has written vectors of this version. */
  first: boolean;
}

/** Another run has taken the row over. */
class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/**
 * Embeds the chunks of a searchable workspace document and publishes the vectors. Without an
 * embedder, or while the vector store can't be reached, the document stays searchable by full text.
 */
@Injectable()
export class DocumentEmbedder {
  private readonly budget = new Semaphore(maxChunksInMemory);

  constructor(
    private readonly indexing: IndexingRepository,
    private readonly chunks: ChunkRepository,
    private readonly embedder: Embedder,
    private readonly writer: VectorWriter,
    private readonly publisher: DocumentPublisher,
    private readonly progress: DocumentProgress,
    private readonly waits: DocumentWaits,
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
    this.progress.announce(claim.document, claim.w);
    await this.embed(
      { ...claim, lease: "embedding", pages: this.readPages(claim.w) },
      ready,
      context,
    );
  }

  /** Embeds and publishes, or postpones the rest if the embedder or the vector store fails. */
  async embed(
    run: EmbeddingRun,
    ready: ReadyEmbedder,
    { signal, lastAttempt }: Pick<JobContext, "signal" | "lastAttempt">,
  ): Promise<void> {
    const { document, w } = run;
    try {
      // Vectors that can't be stored aren't computed.
      await this.waits.requireStore("vectors");
      const isPublished = await this.budget.use(
        Math.min(pageSize, w.chunkCount),
        (hasWaited) => this.writeAll(run, ready, signal, hasWaited),
        { signal },
      );
      if (!isPublished) return;
    } catch (fault) {
      if (fault instanceof LeaseLostError) return;
      if (!(await this.waits.postponeEmbedding(document, w, fault, lastAttempt))) throw fault;
      return;
    }
    this.progress.announce(document, {
      ...w,
      state: "embedded",
      reason: null,
      chunksDone: w.chunkCount,
    });
  }

  private async writeAll(
    { document, w, pages, lease, first }: EmbeddingRun,
    ready: ReadyEmbedder,
    signal: AbortSignal,
    hasWaited: boolean,
  ): Promise<boolean> {
    const indexVersion = w.indexVersion!;
    // The lease may have lapsed while large documents held the budget.
    if (hasWaited && !(await this.indexing.renew(scope, w, lease))) throw new LeaseLostError();
    let done = 0;
    const onDone = async (count: number): Promise<void> => {
      done += count;
      if (!(await this.indexing.noteProgress(scope, w, lease, done, w.chunkCount)))
        throw new LeaseLostError();
      this.progress.announce(document, { ...w, state: "embedding", chunksDone: done });
    };
    for await (const page of pages)
      await this.writer.write(ready, { ...w, indexVersion }, page, {
        named: ready,
        signal,
        onDone,
        isRetry: w.reason !== null,
        first: first && (() => this.indexing.holds(scope, w)),
      });
    return this.publisher.publishEmbedded(w, indexVersion, ready.table);
  }

  private async *readPages(w: WorkspaceDocument): AsyncGenerator<ChunkRow[]> {
    const workspace = serviceScope(w.workspaceId);
    for (let after = -1; ;) {
      const page = await this.chunks.listPage(workspace, w.id, w.indexVersion!, after, pageSize);
      if (page.length === 0) return;
      yield page;
      if (page.length < pageSize) return;
      after = page.at(-1)!.ordinal;
    }
  }
}
