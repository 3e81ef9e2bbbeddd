import {
  candidateFate,
  type CandidateFate,
  type RetrievalFilter,
  type SearchTrace,
} from "@carrel/contracts";
import type { Candidates, ChunkFate, ExpansionTerm, RankedChunk } from "@carrel/retrieval";
import type { LiveChunk } from "../chunking/chunk.repository.ts";

/** Maximum number of expansion terms in the trace. */
const maxTerms = 30;
const fates = new Map(
  candidateFate.options.map((fate, index): [CandidateFate, number] => [fate, index]),
);
const rounded = (score: number): number => Math.round(score * 10_000) / 10_000;
const roundedOrNull = (score: number | null): number | null =>
  score === null ? null : rounded(score);

interface TracedSearch {
  query: string;
  filter: RetrievalFilter;
  threshold: number;
  topN: number;
  documentCount: number;
  embedder: string | null;
  milliseconds: number;
  candidates: Candidates;
  expansion: ExpansionTerm[];
  rerank: SearchTrace["rerank"];
  /** In final order. */
  chunks: RankedChunk[];
  rerankScores: ReadonlyMap<string, number>;
  /** In the order before reranking. */
  fused: RankedChunk[];
  fates: ReadonlyMap<string, ChunkFate>;
  /** Chunks of documents that the prompt already contains in full. */
  inPrompt: RankedChunk[];
  placeOf(id: string): LiveChunk;
}

/**
 * Builds a compact trace with at most `most` candidates, and returns their chunks in the same
 * order. Titles and texts are added when someone views it. Pure.
 */
export function buildTrace(
  o: TracedSearch,
  most: number,
): { trace: SearchTrace; chunks: LiveChunk[] } {
  const mass = o.candidates.words.reduce((sum, word) => sum + word.idf, 0);
  const documents = new Map<string, number>();
  const shown: RankedChunk[] = [];
  for (const chunk of o.chunks) {
    if (shown.length >= most) break;
    if (o.fates.has(chunk.id)) shown.push(chunk);
  }
  // A better chunk comes before those that refer to it.
  const placeOf = new Map(shown.map((chunk, index) => [chunk.id, index + 1]));
  const fusedPlaceOf = new Map<string, number>();
  for (let index = 0; index < o.fused.length && fusedPlaceOf.size < shown.length; index++) {
    const { id } = o.fused[index]!;
    if (placeOf.has(id)) fusedPlaceOf.set(id, index + 1);
  }
  const rows: { chunk: RankedChunk; fate: CandidateFate; better: string | null }[] = [
    ...shown.map((chunk) => ({ chunk, ...o.fates.get(chunk.id)! })),
    ...o.inPrompt
      .slice(0, most - shown.length)
      .map((chunk) => ({ chunk, fate: "in-prompt" as const, better: null })),
  ];
  const chunks = rows.map(({ chunk }) => o.placeOf(chunk.id));
  const trace = {
    query: o.query,
    filter: o.filter,
    threshold: o.threshold,
    topN: o.topN,
    documentCount: o.documentCount,
    embedder: o.embedder,
    rerank: o.rerank,
    milliseconds: o.milliseconds,
    words: o.candidates.words.map((word) => ({
      text: o.query.slice(word.start, word.end),
      weight: mass > 0 ? rounded(word.idf / mass) : 0,
      found: word.forms.size > 0,
    })),
    expansion: o.expansion
      .slice(0, maxTerms)
      .map(({ term, weight }) => ({ term, weight: rounded(weight) })),
    candidateCount: o.fates.size + o.inPrompt.length,
    candidates: rows.map(({ chunk, fate, better }, index) => {
      const { documentId, start, end } = chunks[index]!;
      if (!documents.has(documentId)) documents.set(documentId, documents.size);
      return [
        documents.get(documentId)!,
        start,
        end,
        roundedOrNull(chunk.denseScore),
        chunk.densePlace,
        roundedOrNull(chunk.textScore),
        chunk.textPlace,
        rounded(chunk.score),
        rounded(chunk.rank),
        fusedPlaceOf.get(chunk.id) ?? 0,
        roundedOrNull(o.rerankScores.get(chunk.id) ?? null),
        fates.get(fate)!,
        better === null ? null : (placeOf.get(better) ?? null),
      ];
    }),
    documents: [...documents.keys()],
  };
  return { trace, chunks };
}
