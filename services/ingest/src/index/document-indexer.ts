import {
  indexDocument,
  servicePrincipal,
  workspaceDocumentsChanged,
  type JobPayload,
} from "@carrel/contracts";
import {
  eventMessage,
  Outbox,
  Process,
  type JobContext,
  type OutboxMessage,
} from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { DocumentRepository } from "../document/document.repository.ts";
import { TextRepository } from "../document/text.repository.ts";
import type { Document } from "../document/document.entity.ts";
import { Embedder } from "./embedder.ts";
import { nextWindowEnd } from "../parsing/heading-path.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import { InstanceSettings } from "../setting/instance-settings.ts";
import { WorkerPool } from "../work-pool/worker-pool.ts";
import { windowLength, type PreparedChunk } from "../work-pool/work.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { serviceScope } from "../document/workspace-scope.ts";
import { buildChunkId, buildPublicationId } from "../chunking/chunk-id.ts";
import { IndexStore } from "./index-store.ts";
import { IndexingRepository } from "./indexing.repository.ts";
import { IndexGarbage } from "./index-garbage.ts";
import { embedJob, indexJob } from "../document/document-jobs.ts";

const scope = { principal: servicePrincipal, workspace: null };
const leaseMs = 60_000;

/** Chunks of a workspace document into the text index, then, in one transaction, *searchable*. */
@Injectable()
export class DocumentIndexer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly documents: DocumentRepository,
    private readonly texts: TextRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly pool: WorkerPool,
    private readonly index: IndexStore,
    private readonly settings: InstanceSettings,
    private readonly embedder: Embedder,
    private readonly progress: DocumentProgress,
    private readonly indexing: IndexingRepository,
    private readonly garbage: IndexGarbage,
  ) {}

  @Process(indexDocument, { concurrency: 3 })
  async run(payload: JobPayload<typeof indexDocument>, context: JobContext): Promise<void> {
    const w = (
      await this.indexing.claim(
        scope,
        payload.workspaceDocumentId,
        payload.version,
        "indexing",
        leaseMs,
      )
    )?.w;
    const document = w && (await this.documents.find(scope, w.documentId));
    if (!w || !document || document.state !== "parsed") return;
    this.progress.tell(document, w);
    try {
      const indexed = await this.indexWindows(document, w);
      await this.embedder.look();
      if (indexed === null) return;
      const published = await this.dataSource.transaction((manager) =>
        this.publish(manager, w, indexed.chunks, indexed.textPlace),
      );
      // Words are looked for elsewhere by now: the next attempt writes there.
      if (!published && (await this.index.hasMoved(indexed.textPlace)))
        throw new Error("The text index has moved.");
      if (!published) return;
    } catch (fault) {
      if (!context.lastAttempt) throw fault;
      const reason = "The document could not be added to the search index.";
      if (await this.indexing.fail(scope, this.dataSource.manager, w.id, w.version, reason))
        this.progress.tell(document, { ...w, state: "failed", reason });
      throw fault;
    }
    await this.tell(document, w);
  }

  /**
   * Writes the chunks of one version and gives the place. Done twice it writes the same rows again;
   * `stillFirst` says that nobody did so before.
   */
  async upsert(
    w: Pick<WorkspaceDocument, "id" | "workspaceId" | "version">,
    chunks: PreparedChunk[],
    firstOrdinal: number,
    stillFirst: (() => Promise<boolean>) | null = null,
  ): Promise<string> {
    const publication = buildPublicationId(w.id, w.version);
    const { text, textPlace } = await this.index.writing();
    const rows = chunks.map((chunk, n) => ({
      id: buildChunkId(w.id, w.version, firstOrdinal + n),
      workspaceId: w.workspaceId,
      documentId: publication,
      version: w.version,
      terms: chunk.terms.split(" "),
    }));
    await text.upsert(rows, { first: stillFirst ?? false });
    return textPlace;
  }

  /**
   * Publishes what `upsert` wrote and asks for embedding; what nobody waits for any more becomes
   * garbage (false).
   */
  async publish(
    manager: EntityManager,
    w: WorkspaceDocument,
    chunks: PreparedChunk[],
    textPlace: string,
  ): Promise<boolean> {
    const own = serviceScope(w.workspaceId);
    if (
      !(await this.indexing.publishSearchable(own, manager, w.id, w.version, chunks, textPlace))
    ) {
      await this.garbage.abandon(own, manager, w.id, w.version);
      return false;
    }
    const messages: OutboxMessage[] = [
      eventMessage(workspaceDocumentsChanged, { workspaceId: w.workspaceId }),
    ];
    if (this.embedder.isReady) messages.push(embedJob(w, w.workspaceId));
    await this.outbox.add(manager, ...messages);
    return true;
  }

  /** Index jobs for rows that wait. */
  async enqueue(
    manager: EntityManager,
    rows: Pick<WorkspaceDocument, "id" | "version" | "workspaceId">[],
  ): Promise<void> {
    await this.outbox.add(manager, ...rows.map((w) => indexJob(w, w.workspaceId)));
  }

  async tell(document: Document, w: WorkspaceDocument): Promise<void> {
    const now = await this.workspaceDocuments.findById(scope, w.id);
    if (now) this.progress.tell(document, now);
  }

  /**
   * Window by window, so that a document of any length needs little memory; null when it is no
   * longer due.
   */
  private async indexWindows(
    document: Document,
    w: WorkspaceDocument,
  ): Promise<{ chunks: PreparedChunk[]; textPlace: string } | null> {
    const { textPlace } = await this.index.writing();
    const chunking = await this.settings.chunking(await this.embedder.maxInputCharacters());
    const pages = await this.texts.listPageStarts(scope, document.id);
    const chunks: PreparedChunk[] = [];
    let language: string | null | undefined;
    for (let offset = 0; offset < document.textLength;) {
      const ahead = await this.texts.read(scope, {
        documentId: document.id,
        start: offset,
        end: Math.min(document.textLength, offset + windowLength + 2),
      });
      const text = ahead.slice(0, nextWindowEnd(ahead, windowLength));
      const split = await this.pool.split({
        text,
        offset,
        title: document.title,
        headings: document.headings,
        pages,
        chunking,
        language,
      });
      language = split.language;
      // Commits of a bounded size: others' rows go in between.
      for (let i = 0; i < split.chunks.length; i += 2000) {
        if (
          (await this.upsert(w, split.chunks.slice(i, i + 2000), chunks.length + i)) !== textPlace
        )
          throw new Error("The text index has moved.");
      }
      chunks.push(...split.chunks.map((chunk) => ({ ...chunk, terms: "" })));
      offset += text.length;
      const expected = Math.max(
        chunks.length,
        Math.round((chunks.length / offset) * document.textLength),
      );
      if (
        !(await this.indexing.noteProgress(
          scope,
          w.id,
          w.version,
          chunks.length,
          expected,
          leaseMs,
        ))
      )
        return null;
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
