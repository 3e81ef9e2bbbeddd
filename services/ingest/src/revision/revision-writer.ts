import { servicePrincipal, type KnownFault } from "@carrel/contracts";
import { Outbox, type JobContext } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { buildChunkId, buildPublicationId } from "../chunking/chunk-id.ts";
import { indexJob } from "../document/document-jobs.ts";
import type { Document } from "../document/document.entity.ts";
import { Embedder, type ReadyEmbedder } from "../index/embedder.ts";
import { IndexStore } from "../index/index-store.ts";
import { IndexWriter } from "../index/index-writer.ts";
import type { PreparedChunk } from "../work-pool/work.ts";
import { RevisionSplitter } from "./revision-splitter.ts";
import { RevisionRepository } from "./revision.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** Rows per write, small enough for other documents' writes to interleave. */
const rowsPerWrite = 2_000;
/** Chunks whose vectors are in memory at once. */
const chunksPerPage = 512;

/** Whoever embeds such a document later replaces the vectors that are there. */
export const partlyEmbedded: KnownFault = { code: "document.vectors-not-stored" };

/** A workspace document, and the version that a revision's rows are written under. */
export interface RevisionPublication {
  id: number;
  workspaceId: number;
  version: number;
}

/** A revision whose rows are in the indexes, but not found yet. */
export interface WrittenRevision {
  publications: RevisionPublication[];
  chunks: PreparedChunk[];
  /** Where the terms are. */
  textPlace: string;
  /** Table that holds the vectors; null if not all are written. */
  table: string | null;
  /** Some vectors may be written, but not all. */
  isPartlyEmbedded: boolean;
}

/** Another run has the revision, or newer content has taken its place. */
export class RevisionLostError extends Error {
  override readonly name = "RevisionLostError";
}

/** Versions of workspace documents that only one run of a revision writes rows under. */
@Injectable()
export class RevisionReservations {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Reserves a version of each workspace document that nothing else will use, and gives up those of
   * earlier runs. What was due for the old content goes on under the version after it.
   */
  async reserve(revisionId: string, targetId: string): Promise<RevisionPublication[]> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query("DELETE FROM ingest.revision_publication WHERE revision_id = $1", [
        revisionId,
      ]);
      const [rows] = await manager.query<
        [(RevisionPublication & { next: number; isQueued: boolean })[], number]
      >(
        `WITH held AS (
          SELECT id FROM ingest.workspace_document
          WHERE document_id = $1
          ORDER BY id FOR UPDATE
        )
        UPDATE ingest.workspace_document w SET version = w.version + 2,
          state = CASE w.state
            WHEN 'indexing' THEN 'queued'
            WHEN 'embedding' THEN 'searchable'
            ELSE w.state
          END,
          reason = CASE w.state WHEN 'embedding' THEN $2 ELSE w.reason END,
          lease_until = NULL
        FROM held
        WHERE w.id = held.id
        RETURNING w.id, w.workspace_id AS "workspaceId", w.version - 1 AS version,
          w.version AS next, w.state = 'queued' AS "isQueued"`,
        [targetId, JSON.stringify(partlyEmbedded)],
      );
      await manager.query(
        `INSERT INTO ingest.revision_publication (
          revision_id, workspace_document_id, workspace_id, version, publication
        )
        SELECT $1::uuid, * FROM unnest($2::int[], $3::int[], $4::int[], $5::uuid[])`,
        [
          revisionId,
          rows.map(({ id }) => id),
          rows.map(({ workspaceId }) => workspaceId),
          rows.map(({ version }) => version),
          rows.map(({ id, version }) => buildPublicationId(id, version)),
        ],
      );
      const due = rows.filter(({ isQueued }) => isQueued);
      await this.outbox.add(
        manager,
        ...due.map(({ id, next, workspaceId }) => indexJob({ id, version: next }, workspaceId)),
      );
      return rows.map(({ id, workspaceId, version }) => ({ id, workspaceId, version }));
    });
  }
}

/** Writes a parsed revision to the indexes, for each workspace that holds its document. */
@Injectable()
export class RevisionWriter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly reservations: RevisionReservations,
    private readonly revisions: RevisionRepository,
    private readonly splitter: RevisionSplitter,
    private readonly embedder: Embedder,
    private readonly store: IndexStore,
    private readonly writer: IndexWriter,
  ) {}

  /**
   * `run` is what was claimed: the revision, or the first one of its original. The last attempt does
   * without vectors if the embedder or their store fails; they follow later.
   */
  async write(
    run: Pick<Document, "id" | "run">,
    revision: Document,
    targetId: string,
    context: JobContext,
  ): Promise<WrittenRevision> {
    const { textPlace } = await this.store.writing();
    const publications = await this.reservations.reserve(revision.id, targetId);
    if (publications.length === 0)
      return { publications, chunks: [], textPlace, table: null, isPartlyEmbedded: false };
    const windows = this.splitter.split(revision, targetId, publications[0]!.workspaceId);
    const chunks = await this.writeTerms(run, windows, publications, textPlace);
    const vectors = await this.writeVectors(run, revision, publications, chunks, context);
    return { publications, chunks, textPlace, ...vectors };
  }

  private async writeTerms(
    run: Pick<Document, "id" | "run">,
    windows: ReturnType<RevisionSplitter["split"]>,
    publications: RevisionPublication[],
    textPlace: string,
  ): Promise<PreparedChunk[]> {
    const chunks: PreparedChunk[] = [];
    for await (const window of windows) {
      for (const w of publications)
        for (let at = 0; at < window.chunks.length; at += rowsPerWrite) {
          const batch = window.chunks.slice(at, at + rowsPerWrite);
          if ((await this.writer.writeTerms(w, batch, chunks.length + at, isFirst)) !== textPlace)
            throw new Error("The text index has moved.");
        }
      // Only the index needs the terms; dropping them keeps a long document's chunks small.
      chunks.push(...window.chunks.map((chunk) => ({ ...chunk, terms: "" })));
      await this.renew(run);
    }
    return chunks;
  }

  /** Writes no vectors if there is no embedder. */
  private async writeVectors(
    run: Pick<Document, "id" | "run">,
    revision: Document,
    publications: RevisionPublication[],
    chunks: PreparedChunk[],
    context: JobContext,
  ): Promise<Pick<WrittenRevision, "table" | "isPartlyEmbedded">> {
    const ready = await this.embedder.findReady();
    if (ready === null) return { table: null, isPartlyEmbedded: false };
    try {
      for (const w of publications)
        for (let at = 0; at < chunks.length; at += chunksPerPage)
          await this.writePage(run, revision, w, ready, { chunks, at, signal: context.signal });
      return { table: ready.table, isPartlyEmbedded: false };
    } catch (fault) {
      context.signal.throwIfAborted();
      if (fault instanceof RevisionLostError || !context.lastAttempt) throw fault;
      this.logger.warn(
        { err: fault, documentId: revision.revises },
        "couldn't embed a document's new content, which is published without vectors",
      );
      return { table: null, isPartlyEmbedded: true };
    }
  }

  private async writePage(
    run: Pick<Document, "id" | "run">,
    revision: Document,
    { id, workspaceId, version }: RevisionPublication,
    ready: ReadyEmbedder,
    { chunks, at, signal }: { chunks: PreparedChunk[]; at: number; signal: AbortSignal },
  ): Promise<void> {
    const rows = chunks
      .slice(at, at + chunksPerPage)
      .map(({ start, end, headingPath, contentHash }, n) => ({
        id: buildChunkId(id, version, at + n),
        start,
        end,
        headingPath,
        contentHash,
      }));
    await this.writer.writeVectors(
      ready,
      { id, workspaceId, documentId: revision.id, indexVersion: version },
      rows,
      { named: ready, signal, first: true, onDone: () => this.renew(run) },
    );
    await this.renew(run);
  }

  private async renew(run: Pick<Document, "id" | "run">): Promise<void> {
    if (!(await this.revisions.renew(scope, run))) throw new RevisionLostError();
  }
}

/** No other run writes under the versions that this one reserved. */
const isFirst = (): Promise<boolean> => Promise.resolve(true);
