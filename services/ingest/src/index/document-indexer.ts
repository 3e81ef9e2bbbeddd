import {
  indexDocument,
  servicePrincipal,
  type JobPayload,
  type KnownFault,
} from "@carrel/contracts";
import { Process, type JobContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { DocumentProgress } from "../document/document-progress.ts";
import { ChunkWriter } from "./chunk-writer.ts";
import { DocumentPublisher } from "./document-publisher.ts";
import { DocumentWaits } from "./document-waits.ts";
import { IndexStore } from "./index-store.ts";
import { IndexingRepository } from "./indexing.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };

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
