import { servicePrincipal } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { buildChunkId } from "../chunking/chunk-id.ts";
import type { Document } from "../document/document.entity.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { Semaphore } from "../work-pool/semaphore.ts";
import type { PreparedChunk, PreparedText } from "../work-pool/work.ts";
import { DocumentEmbedder, type WritableChunk } from "./document-embedder.ts";
import { DocumentPublisher } from "./document-publisher.ts";
import { Embedder } from "./embedder.ts";
import { IndexingRepository } from "./indexing.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** Enough for eight uploads in flight, whose embedding takes longer than their parsing. */
export const maxEmbeddingJobs = 12;
/** Larger documents gain little from saving a job. */
const maxChunks = 128;
/** How long a job embeds at most. */
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

  /** Queues what a job left unembedded whose replica died after publishing. */
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
