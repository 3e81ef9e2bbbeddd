import { indexDocument, servicePrincipal, type JobPayload } from "@carrel/contracts";
import { Process, type JobContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { DocumentSplitter } from "../chunking/document-splitter.ts";
import type { Document } from "../document/document.entity.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import type { PreparedChunk } from "../work-pool/work.ts";
import { DocumentPublisher } from "./document-publisher.ts";
import { Embedder } from "./embedder.ts";
import { IndexStore } from "./index-store.ts";
import { IndexingRepository } from "./indexing.repository.ts";
import { TextWriter } from "./text-writer.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** Rows per write, small enough for other documents' writes to interleave. */
const rowsPerWrite = 2_000;

interface WrittenChunks {
  chunks: PreparedChunk[];
  textPlace: string;
}

/** Writes the chunks of a workspace document to the full-text index and publishes it. */
@Injectable()
export class DocumentIndexer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly indexing: IndexingRepository,
    private readonly splitter: DocumentSplitter,
    private readonly store: IndexStore,
    private readonly writer: TextWriter,
    private readonly publisher: DocumentPublisher,
    private readonly embedder: Embedder,
    private readonly progress: DocumentProgress,
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
    const { w, document } = claim;
    this.progress.tell(document, w);
    try {
      const written = await this.write(document, w);
      await this.publisher.prepare();
      if (written === null) return;
      const isPublished = await this.dataSource.transaction((manager) =>
        this.publisher.publishSearchable(manager, w, written.chunks, written.textPlace),
      );
      // The next attempt writes to the index that is active by then.
      if (!isPublished && (await this.store.hasMoved(written.textPlace)))
        throw new Error("The text index has moved.");
      if (!isPublished) return;
    } catch (fault) {
      if (!context.lastAttempt) throw fault;
      const reason = "The document could not be added to the search index.";
      if (await this.indexing.fail(scope, this.dataSource.manager, w.id, w.version, reason))
        this.progress.tell(document, { ...w, state: "failed", reason });
      throw fault;
    }
    const now = await this.indexing.find(scope, w.id);
    if (now) this.progress.tell(document, now);
  }

  /** Null if the version is no longer due. */
  private async write(document: Document, w: WorkspaceDocument): Promise<WrittenChunks | null> {
    const { textPlace } = await this.store.writing();
    const chunks: PreparedChunk[] = [];
    for await (const window of this.splitter.split(document, await this.embedder.chunking())) {
      for (let at = 0; at < window.chunks.length; at += rowsPerWrite) {
        const batch = window.chunks.slice(at, at + rowsPerWrite);
        if ((await this.writer.write(w, batch, chunks.length + at)) !== textPlace)
          throw new Error("The text index has moved.");
      }
      // Only the index needs the terms; dropping them keeps a long document's chunks small.
      chunks.push(...window.chunks.map((chunk) => ({ ...chunk, terms: "" })));
      const expected = Math.max(
        chunks.length,
        Math.round((chunks.length / window.end) * document.textLength),
      );
      if (!(await this.indexing.noteProgress(scope, w, chunks.length, expected))) return null;
      this.progress.tell(document, {
        ...w,
        state: "indexing",
        chunksDone: chunks.length,
        chunkCount: expected,
      });
    }
    return { chunks, textPlace };
  }
}
