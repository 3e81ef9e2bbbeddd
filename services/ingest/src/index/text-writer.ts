import { servicePrincipal } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { buildChunkId, buildPublicationId } from "../chunking/chunk-id.ts";
import type { ChunkRow } from "../chunking/chunk.repository.ts";
import { TextRepository } from "../document/text.repository.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { SearchPriority } from "../work-pool/search-priority.ts";
import { WorkerPool } from "../work-pool/worker-pool.ts";
import type { PreparedChunk } from "../work-pool/work.ts";
import { IndexStore } from "./index-store.ts";
import type { SearchIndex } from "./search-index.ts";
import type { EmbeddedVersion } from "./vector-writer.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** Characters from the start of a document used to detect its language. */
const languageSample = 20_000;

/** Writes the terms of chunks to a full-text index. */
@Injectable()
export class TextWriter {
  constructor(
    private readonly texts: TextRepository,
    private readonly pool: WorkerPool,
    private readonly store: IndexStore,
    private readonly priority: SearchPriority,
  ) {}

  /**
   * Writes new chunks to the active index and returns its place. Idempotent. `stillFirst` tells
   * whether no other run has written these rows.
   */
  async write(
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
  async copy(
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
}
