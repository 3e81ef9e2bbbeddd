import { embedDocument, servicePrincipal, type JobPayload } from "@carrel/contracts";
import { Process, type JobContext } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { buildChunkId } from "../chunking/chunk-id.ts";
import { ChunkRepository, type ChunkRow } from "../chunking/chunk.repository.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import type { Document } from "../document/document.entity.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { serviceScope } from "../document/workspace-scope.ts";
import { Semaphore } from "../work-pool/semaphore.ts";
import type { PreparedChunk, PreparedText } from "../work-pool/work.ts";
import { DocumentPublisher } from "./document-publisher.ts";
import { DocumentWaits } from "./document-waits.ts";
import { Embedder, type ReadyEmbedder } from "./embedder.ts";
import { IndexWriter } from "./index-writer.ts";
import { IndexingRepository, type EmbeddingLease } from "./indexing.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };
const pageSize = 512;
/**
 * Limit on chunks whose vectors are in memory at once: four full pages, or many small documents
 * that then share the index's commits.
 */
const maxChunksInMemory = 4 * pageSize;

type WritableChunk = Omit<ChunkRow, "ordinal"> & { text?: string };

/** A version whose chunks this job embeds; the job holds the row by its `run`. */
interface EmbeddingRun {
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
    private readonly writer: IndexWriter,
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
      const held = await this.indexing.noteProgress(scope, w, lease, done, w.chunkCount);
      if (held === null) throw new LeaseLostError();
      document.audienceId = held.audienceId;
      this.progress.announce(document, { ...w, state: "embedding", chunksDone: done });
    };
    for await (const page of pages)
      await this.writer.writeVectors(ready, { ...w, indexVersion }, page, {
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

/** Enough for eight uploads in flight, whose embedding takes longer than their parsing. */
export const maxEmbeddingJobs = 12;
/** Larger documents gain little from saving a job. */
const maxChunks = 128;
/** Maximum time that a job spends embedding. */
const maxMs = 5_000;
/** How long everything is queued after the embedder was too slow once. */
const pauseMs = 60_000;

/**
 * Embeds small documents in the job that has just published them, which saves a job and two
 * transactions. A document that can't be embedded this way at once is left to `document.embed`, so
 * that a slow embedder never delays parsing.
 */
@Injectable()
export class PublishedEmbedder {
  private readonly jobs = new Semaphore(maxEmbeddingJobs);
  private pausedUntil = 0;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly embedder: Embedder,
    private readonly documents: DocumentEmbedder,
    private readonly indexing: IndexingRepository,
    private readonly publisher: DocumentPublisher,
  ) {}

  /**
   * Whether the job may embed this text in the workspaces it publishes it in; if so, it must
   * release its place.
   */
  tryReserve({ chunks }: PreparedText): boolean {
    return (
      chunks !== null &&
      chunks.length <= maxChunks &&
      performance.now() >= this.pausedUntil &&
      this.jobs.tryAcquire(1)
    );
  }

  release(): void {
    this.jobs.release(1);
  }

  /** `published` are the rows that the job published as `embedding` and holds. */
  async embed(
    document: Document,
    text: PreparedText,
    published: WorkspaceDocument[],
  ): Promise<void> {
    const whole = text.parts.map((part) => part.text).join("");
    const deadline = AbortSignal.timeout(maxMs);
    await Promise.all(
      published.map(async (w) => {
        try {
          const ready = await this.embedder.findReady();
          // The reconciler queues the document when the embedder is ready.
          if (!ready) return await this.indexing.release(scope, w);
          const rows = rowsOf(w, text.chunks!, whole);
          const pages = rows.length === 0 ? [] : [rows];
          await this.documents.embed(
            { document, w, pages, lease: "publishing", first: true },
            ready,
            { signal: deadline, lastAttempt: false },
          );
        } catch (fault) {
          if (deadline.aborted) this.pausedUntil = performance.now() + pauseMs;
          this.logger.warn(
            { err: fault, workspaceDocumentId: w.id },
            "couldn't embed a document in the job that published it, so it was queued",
          );
          await this.publisher.enqueueEmbedding([w]);
        }
      }),
    );
  }

  /** Rows whose process died while it embedded them. Without an embedder, all rows wait for one. */
  async listInterrupted(): Promise<Pick<WorkspaceDocument, "id" | "version" | "workspaceId">[]> {
    return this.embedder.isReady ? this.indexing.listLapsed(scope) : [];
  }

  /** Queues what was left unembedded by a job whose replica died after publishing. */
  async resume(documentId: string): Promise<void> {
    const left = await this.indexing.listAbandoned(scope, documentId);
    if (left.length > 0) await this.publisher.enqueueEmbedding(left);
  }
}

const rowsOf = (w: WorkspaceDocument, chunks: PreparedChunk[], whole: string): WritableChunk[] =>
  chunks.map(({ start, end, headingPath, contentHash }, ordinal) => ({
    id: buildChunkId(w.id, w.indexVersion!, ordinal),
    start,
    end,
    headingPath,
    contentHash,
    text: whole.slice(start, end),
  }));
