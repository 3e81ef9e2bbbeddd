import { servicePrincipal } from "@carrel/contracts";
import { openingAt } from "@carrel/retrieval/indexing";
import { Injectable } from "@nestjs/common";
import { ChunkRepository } from "../chunking/chunk.repository.ts";
import { DocumentSplitter, type ChunkOpenings } from "../chunking/document-splitter.ts";
import type { Document } from "../document/document.entity.ts";
import { TextRepository } from "../document/text.repository.ts";
import { Embedder } from "../index/embedder.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** The openings of more chunks would take megabytes, and each of them is sent to every window. */
const mostChunks = 20_000;
const rangesPerQuery = 512;
/** An opening, and the white space that may come before it. */
const readLength = 128;

/** Splits new content where the old one was split, so that most chunks keep their vectors. */
@Injectable()
export class RevisionSplitter {
  constructor(
    private readonly chunks: ChunkRepository,
    private readonly texts: TextRepository,
    private readonly splitter: DocumentSplitter,
    private readonly embedder: Embedder,
  ) {}

  async *split(
    revision: Document,
    targetId: string,
    workspaceId: number,
  ): ReturnType<DocumentSplitter["split"]> {
    const [chunking, openings] = await Promise.all([
      this.embedder.chunking(),
      this.findOpenings(targetId),
    ]);
    yield* this.splitter.split(revision, workspaceId, chunking, openings);
  }

  private async findOpenings(documentId: string): Promise<ChunkOpenings> {
    const all = new Set<string>();
    const fresh = new Set<string>();
    const places = await this.chunks.listPlaces(scope, documentId, mostChunks);
    for (let from = 0; from < places.length; from += rangesPerQuery) {
      // What a chunk repeats of the one before it doesn't belong to its opening.
      const starts = places.slice(from, from + rangesPerQuery).map(({ start }, n) => {
        const before = places[from + n - 1]?.end ?? 0;
        return { start: Math.max(start, before), isFresh: start >= before };
      });
      const texts = await this.texts.readAll(
        scope,
        starts.map(({ start }) => ({ documentId, start, end: start + readLength })),
      );
      for (const [n, { isFresh }] of starts.entries()) {
        const opening = openingAt(texts[n]!.trimStart(), 0);
        all.add(opening);
        if (isFresh) fresh.add(opening);
      }
    }
    return { all, fresh };
  }
}
