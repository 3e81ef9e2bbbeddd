import { servicePrincipal } from "@carrel/contracts";
import { LOGGER } from "@carrel/runtime";
import type { Logger } from "@carrel/observability";
import { Inject, Injectable } from "@nestjs/common";
import { buildChunkId } from "../chunking/chunk-id.ts";
import { ChunkSampleRepository, type SampledChunk } from "../chunking/chunk-sample.repository.ts";
import { TextRepository } from "../document/text.repository.ts";
import { Embedder } from "./embedder.ts";
import { IndexDirectory } from "./index-directory.ts";
import { IndexStore } from "./index-store.ts";
import { SearchIndexRepository } from "./search-index.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };
const samples = 20;
/** Chunks with vectors from which a check means something: by chance, one in twenty is found. */
const minChunks = 60;
/** Share of the sampled chunks that must be found: three times what chance explains is certain. */
const enough = 0.3;
const maxHits = 10;

/**
 * Checks once per index whether its vectors mean anything: half of a chunk's text must find the
 * chunk or its neighbours. Otherwise search leaves semantic hits out, because fusion counts both
 * halves the same (docs/decisions/search.md).
 */
@Injectable()
export class VectorSelfCheck {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly directory: IndexDirectory,
    private readonly indexes: SearchIndexRepository,
    private readonly chunks: ChunkSampleRepository,
    private readonly texts: TextRepository,
    private readonly embedder: Embedder,
    private readonly store: IndexStore,
  ) {}

  /** Does nothing while there are too few vectors, the embedder isn't ready, or once it is known. */
  async run(): Promise<void> {
    const index = await this.directory.active();
    if (index.table === null || index.dimensions === null || index.vectorsWork !== null) return;
    const ready = await this.embedder.findReady();
    if (ready?.indexId !== index.id) return;
    const sampled = await this.chunks.sampleEmbedded(scope, index.table, samples, minChunks);
    const vectors = await this.store.vectorsOf(index);
    if (sampled === null || vectors === null) return;
    const { workspaceId, chunkCount, chunks } = sampled;
    const texts = await this.texts.readAll(scope, chunks);
    const questions = await ready.model.embed(
      texts.map((text) => text.slice(0, Math.ceil(text.length / 2))),
      "query",
      AbortSignal.timeout(60_000),
    );
    // As few hits as it takes to make chance unlikely, whatever the size of the workspace.
    const limit = Math.min(maxHits, Math.floor(chunkCount / minChunks));
    const found = await Promise.all(
      questions.map(async (vector, place) => {
        const expected = neighbourhoodOf(chunks[place]!);
        const hits = await vectors.search({ workspaceId, vector, limit });
        return hits.slice(0, limit).some(({ id }) => expected.has(id));
      }),
    );
    const share = found.filter(Boolean).length / found.length;
    const works = share >= enough;
    if (!works)
      this.logger.warn({ model: index.model, share }, "vectors don't find their own chunks");
    await this.indexes.saveVectorsWork(scope, index.id, works);
    await this.directory.announceChange();
  }
}

const neighbourhoodOf = ({ workspaceDocumentId, version, ordinal }: SampledChunk): Set<string> =>
  new Set(
    [ordinal - 1, ordinal, ordinal + 1].map((near) =>
      buildChunkId(workspaceDocumentId, version, near),
    ),
  );
