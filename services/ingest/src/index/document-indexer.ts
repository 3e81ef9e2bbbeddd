import {
  embedDocument,
  indexDocument,
  servicePrincipal,
  type JobPayload,
  type KnownFault,
} from "@carrel/contracts";
import { Process, ProcessFailed, type JobContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { DocumentSplitter } from "../chunking/document-splitter.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import type { Document } from "../document/document.entity.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { windowLength, type PreparedChunk } from "../work-pool/work.ts";
import { DocumentPublisher } from "./document-publisher.ts";
import { DocumentWaits } from "./document-waits.ts";
import { Embedder } from "./embedder.ts";
import { IndexStore } from "./index-store.ts";
import { IndexWriter } from "./index-writer.ts";
import { IndexingRepository } from "./indexing.repository.ts";
import { PostponementRepository } from "./postponement.repository.ts";

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

const scope = { principal: servicePrincipal, workspace: null };
/** Rows per write, small enough for other documents' writes to interleave. */
const rowsPerWrite = 2_000;

interface WrittenChunks {
  chunks: PreparedChunk[];
  textPlace: string;
}

/** Splits a workspace document and writes its chunks to the full-text index. */
@Injectable()
export class ChunkWriter {
  constructor(
    private readonly indexing: IndexingRepository,
    private readonly splitter: DocumentSplitter,
    private readonly store: IndexStore,
    private readonly writer: IndexWriter,
    private readonly embedder: Embedder,
    private readonly progress: DocumentProgress,
  ) {}

  /** Null if the version is no longer due. `first`: no earlier run has begun to index it. */
  async write(
    document: Document,
    w: WorkspaceDocument,
    first: boolean,
  ): Promise<WrittenChunks | null> {
    const { textPlace } = await this.store.writing();
    // A shorter document's parse job may have written these rows.
    const isNew = first && document.textLength > windowLength;
    const stillFirst = isNew ? () => this.indexing.holds(scope, w) : null;
    const chunks: PreparedChunk[] = [];
    const chunking = await this.embedder.chunking();
    for await (const window of this.splitter.split(document, w.workspaceId, chunking)) {
      for (let at = 0; at < window.chunks.length; at += rowsPerWrite) {
        const batch = window.chunks.slice(at, at + rowsPerWrite);
        const ordinal = chunks.length + at;
        if ((await this.writer.writeTerms(w, batch, ordinal, stillFirst)) !== textPlace)
          throw new Error("The text index has moved.");
      }
      // Only the index needs the terms; dropping them keeps a long document's chunks small.
      chunks.push(...window.chunks.map((chunk) => ({ ...chunk, terms: "" })));
      const expected = Math.max(
        chunks.length,
        Math.round((chunks.length / window.end) * document.textLength),
      );
      const held = await this.indexing.noteProgress(scope, w, "indexing", chunks.length, expected);
      if (held === null) return null;
      document.audienceId = held.audienceId;
      this.progress.announce(document, {
        ...w,
        state: "indexing",
        chunksDone: chunks.length,
        chunkCount: expected,
      });
    }
    return { chunks, textPlace };
  }
}

/**
 * Adds a workspace document to the full-text index and publishes it. While the index can't be
 * reached, the document waits.
 */
@Injectable()
export class DocumentIndexer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly indexing: IndexingRepository,
    private readonly chunks: ChunkWriter,
    private readonly store: IndexStore,
    private readonly publisher: DocumentPublisher,
    private readonly progress: DocumentProgress,
    private readonly waits: DocumentWaits,
  ) {}

  @Process(indexDocument, { concurrency: 3 })
  async run(payload: JobPayload<typeof indexDocument>, context: JobContext): Promise<void> {
    const claim = await this.indexing.claimDocument(
      scope,
      payload.workspaceDocumentId,
      payload.version,
      "indexing",
    );
    if (!claim || claim.document.state !== "parsed") return;
    const { w, document, first } = claim;
    this.progress.announce(document, w);
    try {
      await this.waits.requireStore("text");
      const written = await this.chunks.write(document, w, first);
      await this.publisher.prepare();
      if (written === null) return;
      const [published] = await this.dataSource.transaction((manager) =>
        this.publisher.publishSearchable(manager, [{ w, ...written, isEmbeddedHere: false }]),
      );
      // The next attempt writes to the index that is active by then.
      if (!published && (await this.store.hasMoved(written.textPlace)))
        throw new Error("The text index has moved.");
      if (published) this.progress.announce(document, published);
    } catch (fault) {
      if (await this.waits.postponeIndexing(document, w, fault)) return;
      if (!context.lastAttempt) throw fault;
      const reason: KnownFault = { code: "document.not-indexed" };
      if (await this.indexing.fail(scope, w, reason))
        this.progress.announce(document, { ...w, state: "failed", reason });
      throw fault;
    }
  }
}
