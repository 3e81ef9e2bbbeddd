import {
  indexDocument,
  servicePrincipal,
  type JobPayload,
  type KnownFault,
} from "@carrel/contracts";
import { Process, type JobContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { Document } from "../document/document.entity.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { ByteBudget } from "../work-pool/byte-budget.ts";
import type { PreparedChunk } from "../work-pool/work.ts";
import { ChunkWriter } from "./chunk-writer.ts";
import { DocumentEmbedder } from "./document-embedder.ts";
import { DocumentPublisher } from "./document-publisher.ts";
import { IndexStore } from "./index-store.ts";
import { IndexingRepository } from "./indexing.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** Documents being split at once; more are embedded meanwhile. */
const splitAtOnce = 3;

/**
 * Adds a workspace document to the full-text index, publishes it and, if the embedder is ready,
 * embeds it.
 */
@Injectable()
export class DocumentIndexer {
  private readonly splitting = new ByteBudget(splitAtOnce);

  constructor(
    private readonly dataSource: DataSource,
    private readonly indexing: IndexingRepository,
    private readonly chunks: ChunkWriter,
    private readonly store: IndexStore,
    private readonly publisher: DocumentPublisher,
    private readonly embedder: DocumentEmbedder,
    private readonly progress: DocumentProgress,
  ) {}

  @Process(indexDocument, { concurrency: 8 })
  async run(payload: JobPayload<typeof indexDocument>, context: JobContext): Promise<void> {
    const published = await this.splitting.use(1, () => this.index(payload, context));
    if (!published) return;
    const { document, row, chunks } = published;
    await this.embedder.embedPublished(document, row, { chunks, text: null }, context.signal);
  }

  /** Null if the version is no longer due. */
  private async index(
    payload: JobPayload<typeof indexDocument>,
    context: JobContext,
  ): Promise<{ document: Document; row: WorkspaceDocument; chunks: PreparedChunk[] } | null> {
    const claim = await this.indexing.claimDocument(
      scope,
      payload.workspaceDocumentId,
      payload.version,
      "indexing",
    );
    if (!claim && (context.attempt > 1 || context.crashes > 0)) {
      const row = await this.indexing.find(scope, payload.workspaceDocumentId);
      if (row) await this.embedder.resume(row.documentId);
    }
    if (!claim || claim.document.state !== "parsed") return null;
    const { w, document } = claim;
    this.progress.announce(document, w);
    try {
      const written = await this.chunks.write(document, w);
      await this.publisher.prepare();
      if (written === null) return null;
      const [row] = await this.dataSource.transaction((manager) =>
        this.publisher.publishSearchable(manager, [{ w, ...written }]),
      );
      // The next attempt writes to the index that is active by then.
      if (!row && (await this.store.hasMoved(written.textPlace)))
        throw new Error("The text index has moved.");
      if (!row) return null;
      this.progress.announce(document, {
        ...row,
        state: "searchable",
        chunksDone: row.chunkCount,
      });
      return { document, row, chunks: written.chunks };
    } catch (fault) {
      if (!context.lastAttempt) throw fault;
      const reason: KnownFault = { code: "document.not-indexed" };
      if (await this.indexing.fail(scope, this.dataSource.manager, w.id, w.version, reason))
        this.progress.announce(document, { ...w, state: "failed", reason });
      throw fault;
    }
  }
}
