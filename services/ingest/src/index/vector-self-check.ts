import { isDeepStrictEqual } from "node:util";
import { servicePrincipal } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { chanceRecall, recallByVectors, recallByWords, splitInHalves } from "@carrel/retrieval";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { ChunkSampleRepository } from "../chunking/chunk.repository.ts";
import { DocumentLanguageRepository, undetermined } from "../document/document.repository.ts";
import { TextRepository } from "../document/text.repository.ts";
import { Embedder, type ReadyEmbedder } from "./embedder.ts";
import { IndexDirectory } from "./index-directory.ts";
import { SearchIndexRepository } from "./search-index.repository.ts";
import type { SearchIndex, VectorCheck } from "./search-index.ts";
import { usesVectors } from "./vector-languages.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** Chunks of one language in a sample: the most, and the fewest that give a meaningful result. */
const most = 60;
const fewest = 30;
/** A language is checked again when it has grown by this factor. */
const growth = 4;
/**
 * How much of what words find, and how much more than chance, vectors have to find. MiniLM: 0.9 to
 * 1.8 on English collections, 0.65 in Chinese, 0.2 in Arabic (docs/decisions/search.md).
 */
const enough = { ofWords: 0.8, ofChance: 2 };
/** Share of the time that looking for new languages may take. */
const maxShare = 0.05;

/**
 * Checks for each language of an index whether its vectors mean anything: the first half of a
 * passage must find the second one about as well as its words do. Search leaves the vectors of other
 * languages out, because fusion counts both halves the same.
 */
@Injectable()
export class VectorSelfCheck {
  private nextAt = 0;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly directory: IndexDirectory,
    private readonly indexes: SearchIndexRepository,
    private readonly languages: DocumentLanguageRepository,
    private readonly chunks: ChunkSampleRepository,
    private readonly texts: TextRepository,
    private readonly embedder: Embedder,
  ) {}

  /** Checks languages that are new or grew; does nothing while the embedder isn't ready. */
  async run(): Promise<void> {
    const index = await this.directory.active();
    if (index.table === null || performance.now() < this.nextAt) return;
    const began = performance.now();
    const counts = await this.languages.countEmbedded(scope, index.table);
    const took = performance.now() - began;
    this.nextAt = began + took / maxShare;
    const uses = await usesVectors({ ...index, vectorChecks: {} });
    const checks: SearchIndex["vectorChecks"] = {};
    for (const { language, chunks } of counts) {
      const known = index.vectorChecks[language];
      const isCurrent = known && known.chunks > 0 && chunks < known.chunks * growth;
      const check = !uses(language)
        ? { works: false, chunks: 0 }
        : chunks < fewest || isCurrent
          ? known
          : ((await this.check(index, language, chunks)) ?? known);
      if (check) checks[language] = check;
    }
    await this.save(index, {
      vectorsWork: readVerdict(counts.map(({ language }) => checks[language]?.works)),
      vectorChecks: checks,
    });
  }

  /** null while the embedder isn't ready. */
  private async check(
    index: SearchIndex,
    language: string,
    chunkCount: number,
  ): Promise<VectorCheck | null> {
    const ready = await this.embedder.findReady();
    if (ready?.indexId !== index.id) return null;
    const ranges = await this.chunks.sampleEmbedded(scope, ready.table, language, most);
    const texts = await this.texts.readAll(scope, ranges);
    const detected = language === undetermined ? null : language;
    const halves = texts
      .map((text) => splitInHalves(text, detected))
      .filter(([first, second]) => first.trim() !== "" && second.trim() !== "");
    if (halves.length < fewest / 2) return null;
    const byWords = recallByWords(halves, detected);
    const byVectors = recallByVectors(
      await embed(
        ready,
        halves.map(([first]) => first),
      ),
      await embed(
        ready,
        halves.map(([, second]) => second),
      ),
    );
    const works =
      byVectors >= byWords * enough.ofWords &&
      byVectors >= chanceRecall(halves.length) * enough.ofChance;
    const facts = { model: index.model, language, byVectors, byWords };
    if (works) this.logger.info(facts, "vectors passed their self-check");
    else this.logger.warn(facts, "vectors failed their self-check");
    return { works, chunks: chunkCount };
  }

  private async save(
    index: SearchIndex,
    result: Pick<SearchIndex, "vectorsWork" | "vectorChecks">,
  ): Promise<void> {
    const { vectorsWork, vectorChecks } = index;
    if (isDeepStrictEqual(result, { vectorsWork, vectorChecks })) return;
    await this.indexes.saveVectorChecks(scope, index.id, result);
    await this.directory.announceChange();
  }
}

/**
 * An index's verdict from those of its languages, which are undefined if they have too few chunks.
 */
function readVerdict(languages: (boolean | undefined)[]): boolean | null {
  if (languages.includes(true)) return true;
  return languages.length > 0 && languages.every((works) => works === false) ? false : null;
}

/** Embeds the texts as passages, because questions are embedded before documents. */
async function embed({ model }: ReadyEmbedder, texts: string[]): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += model.batchSize)
    vectors.push(
      ...(await model.embed(
        texts.slice(at, at + model.batchSize),
        "passage",
        AbortSignal.timeout(60_000),
      )),
    );
  return vectors;
}
