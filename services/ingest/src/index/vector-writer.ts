import { servicePrincipal } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { buildPublicationId } from "../chunking/chunk-id.ts";
import {
  ChunkVectors,
  type EmbeddableChunk,
  type MakeOptions,
} from "../embedding/chunk-vectors.ts";
import type { NamedModel } from "../embedding/embedding-models.ts";
import { SearchPriority } from "../work-pool/search-priority.ts";
import { IndexStore } from "./index-store.ts";
import { SearchIndexRepository } from "./search-index.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** The index that vectors are written to. */
export interface VectorTarget {
  indexId: string;
  table: string;
  /** Null until the first vector. */
  dimensions: number | null;
}

/** A version of a workspace document whose chunks are embedded. */
export interface EmbeddedVersion {
  id: number;
  workspaceId: number;
  documentId: string;
  indexVersion: number;
}

/** Embeds chunks and writes their vectors to an index. */
@Injectable()
export class VectorWriter {
  constructor(
    private readonly vectors: ChunkVectors,
    private readonly indexes: SearchIndexRepository,
    private readonly store: IndexStore,
    private readonly priority: SearchPriority,
  ) {}

  async write(
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
