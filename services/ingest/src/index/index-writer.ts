import { servicePrincipal } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { buildChunkId, buildPublicationId } from "../chunking/chunk-id.ts";
import type { ChunkRow } from "../chunking/chunk.repository.ts";
import { TextRepository } from "../document/text.repository.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import {
  ChunkVectors,
  type EmbeddableChunk,
  type MakeOptions,
} from "../embedding/chunk-vectors.ts";
import type { NamedModel } from "../embedding/embedding-models.ts";
import { SearchPriority } from "../work-pool/search-priority.ts";
import type { PreparedChunk } from "../work-pool/work.ts";
import { WorkerPool } from "../work-pool/worker-pool.ts";
import { IndexStore } from "./index-store.ts";
import { SearchIndexRepository } from "./search-index.repository.ts";
import type { SearchIndex } from "./search-index.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** Characters from the start of a document used to detect its language. */
const languageSample = 20_000;

/** The index that vectors are written to. */
interface VectorTarget {
  indexId: string;
  table: string;
  /** Null until the first vector. */
  dimensions: number | null;
}

/** A version of a workspace document whose chunks are embedded. */
interface EmbeddedVersion {
  id: number;
  workspaceId: number;
  documentId: string;
  indexVersion: number;
}

/** Writes chunks to an index: their terms for full-text search, and their vectors. */
@Injectable()
export class IndexWriter {
  constructor(
    private readonly texts: TextRepository,
    private readonly pool: WorkerPool,
    private readonly vectors: ChunkVectors,
    private readonly indexes: SearchIndexRepository,
    private readonly store: IndexStore,
    private readonly priority: SearchPriority,
  ) {}

  /**
   * Writes the terms of new chunks to the active index and returns its place. Idempotent.
   * `stillFirst` says whether no other run has written these rows.
   */
  async writeTerms(
    w: Pick<WorkspaceDocument, "id" | "workspaceId" | "version">,
    chunks: PreparedChunk[],
    firstOrdinal: number,
    stillFirst: (() => Promise<boolean>) | null = null,
  ): Promise<string> {
    await this.priority.giveWay(chunks.length);
    const publication = buildPublicationId(w.id, w.version);
    const { text, textPlace } = await this.store.writing();
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

  /** Analyses published chunks again and writes their terms to another index. */
  async copyTerms(
    to: SearchIndex,
    document: EmbeddedVersion & { title: string },
    chunks: ChunkRow[],
  ): Promise<void> {
    const { documentId } = document;
    const text = await this.store.textOf(to);
    const [sample, ...pieces] = await this.texts.readAll(scope, [
      { documentId, start: 0, end: languageSample },
      ...chunks.map(({ start, end }) => ({ documentId, start, end })),
    ]);
    const terms = await this.pool.terms({
      title: document.title,
      sample: sample!,
      pieces: pieces.map((piece, n) => ({ text: piece, headingPath: chunks[n]!.headingPath })),
    });
    const publication = buildPublicationId(document.id, document.indexVersion);
    await text.upsert(
      chunks.map((chunk, n) => ({
        id: chunk.id,
        workspaceId: document.workspaceId,
        documentId: publication,
        version: document.indexVersion,
        terms: terms[n]!.split(" "),
      })),
    );
  }

  /** Embeds chunks and writes their vectors. */
  async writeVectors(
    target: VectorTarget,
    document: EmbeddedVersion,
    chunks: (EmbeddableChunk & { id: string })[],
    o: Omit<MakeOptions, "workspaceId"> & {
      named: NamedModel;
      /**
       * Whether the index holds no rows of this version yet; a function is evaluated when needed.
       */
      first: boolean | (() => Promise<boolean>);
    },
  ): Promise<void> {
    const { workspaceId } = document;
    const vectors = await this.vectors.make(document.documentId, chunks, o.named, {
      ...o,
      workspaceId,
    });
    const dimensions = vectors[0]!.length;
    if (target.dimensions !== dimensions)
      await this.indexes.saveDimensions(scope, target.indexId, dimensions);
    const index = await this.store.vectors({ model: target.table, dimensions });
    await this.priority.giveWay(chunks.length);
    const publication = buildPublicationId(document.id, document.indexVersion);
    const rows = chunks.map((chunk, n) => ({
      id: chunk.id,
      workspaceId,
      documentId: publication,
      version: document.indexVersion,
      vector: vectors[n]!,
    }));
    await index.upsert(rows, { first: o.first });
  }
}
