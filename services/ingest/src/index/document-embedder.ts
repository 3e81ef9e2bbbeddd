import {
  embedDocument,
  servicePrincipal,
  type JobPayload,
  type KnownFault,
} from "@carrel/contracts";
import { Process, type JobContext } from "@carrel/messaging";
import { ProviderError } from "@carrel/providers";
import { Injectable } from "@nestjs/common";
import { ChunkRepository, type ChunkRow } from "../chunking/chunk.repository.ts";
import { buildChunkId } from "../chunking/chunk-id.ts";
import type { Document } from "../document/document.entity.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { serviceScope } from "../document/workspace-scope.ts";
import { ByteBudget } from "../work-pool/byte-budget.ts";
import type { PreparedChunk } from "../work-pool/work.ts";
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

type Pages = Iterable<WritableChunk[]> | AsyncIterable<WritableChunk[]>;
type WritableChunk = Omit<ChunkRow, "ordinal"> & { text?: string };

/** A document whose chunks this run embeds. */
interface EmbeddingRun {
  document: Document;
  w: WorkspaceDocument;
  pages: Pages;
  /** True if no earlier run has written vectors of this version. */
  first: boolean;
}

/**
 * Embeds the chunks of a searchable workspace document and publishes the vectors. Without an
 * embedder, the document stays searchable by full text.
 */
@Injectable()
export class DocumentEmbedder {
  private readonly budget = new ByteBudget(chunksInMemory);

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
    const { w } = claim;
    this.progress.announce(claim.document, w);
    await this.complete({ ...claim, pages: this.stored(w) }, ready, context);
  }

  /**
   * Embeds a version that this process has just published, in the same job. `text` is null if it is
   * not in memory. A fault that isn't the embedder's leaves the rest to a job.
   */
  async embedPublished(
    document: Document,
    w: WorkspaceDocument,
    { chunks, text }: { chunks: PreparedChunk[]; text: string | null },
    signal: AbortSignal,
  ): Promise<void> {
    if (w.state !== "embedding") return;
    try {
      const ready = await this.embedder.findReady();
      if (!ready) return await this.indexing.release(scope, w);
      const run = { document, w, pages: pagesOf(w, chunks, text), first: true };
      await this.complete(run, ready, { signal, lastAttempt: false });
    } catch {
      await this.publisher.enqueueEmbedding([w]);
    }
  }

  /** Queues what a job left unembedded whose replica died after publishing. */
  async resume(documentId: string): Promise<void> {
    const left = await this.indexing.listUnembedded(scope, documentId);
    if (left.length > 0) await this.publisher.enqueueEmbedding(left);
  }

  private async complete(
    run: EmbeddingRun,
    ready: ReadyEmbedder,
    { signal, lastAttempt }: Pick<JobContext, "signal" | "lastAttempt">,
  ): Promise<void> {
    const { document, w } = run;
    try {
      const isPublished = await this.budget.use(Math.min(pageSize, w.chunkCount), () =>
        this.embed(run, ready, signal),
      );
      if (!isPublished) return;
    } catch (fault) {
      if (!(fault instanceof ProviderError) && !lastAttempt) throw fault;
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
    { document, w, pages, first }: EmbeddingRun,
    ready: ReadyEmbedder,
    signal: AbortSignal,
  ): Promise<boolean> {
    const indexVersion = w.indexVersion!;
    let done = 0;
    const onProgress = async (count: number): Promise<void> => {
      done += count;
      await this.indexing.noteProgress(scope, w, done, w.chunkCount);
      this.progress.announce(document, { ...w, state: "embedding", chunksDone: done });
    };
    for await (const page of pages)
      await this.writer.write(ready, { ...w, indexVersion }, page, {
        named: ready,
        signal,
        onProgress,
        first: first && (() => this.indexing.holds(scope, w)),
      });
    return this.publisher.publishEmbedded(w, indexVersion, ready.table);
  }

  private async *stored(w: WorkspaceDocument): AsyncGenerator<ChunkRow[]> {
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

function* pagesOf(
  w: WorkspaceDocument,
  chunks: PreparedChunk[],
  text: string | null,
): Generator<WritableChunk[]> {
  for (let at = 0; at < chunks.length; at += pageSize)
    yield chunks.slice(at, at + pageSize).map((chunk, n) => ({
      id: buildChunkId(w.id, w.indexVersion!, at + n),
      start: chunk.start,
      end: chunk.end,
      headingPath: chunk.headingPath,
      contentHash: chunk.contentHash,
      ...(text !== null && { text: text.slice(chunk.start, chunk.end) }),
    }));
}
