import type {
  ScoredId,
  TermStatistics,
  TextHit,
  TextIndex,
  VectorIndex,
} from "@carrel/vector-store";
import { analyseQuestion } from "./analyse.ts";
import { languageMark, splitChunkTerms } from "./chunk-terms.ts";
import type { ExpansionTerm } from "./expand-question.ts";
import { fuse, type RankedChunk } from "./fuse.ts";
import { stemmedLanguages } from "./language.ts";
import { weighQuestion, type WeighedWord } from "./question.ts";
import { rankText } from "./text-rank.ts";

export interface SearchRequest {
  workspaceId: number;
  /** The question; for a follow-up the previous one in front of it, on a line of its own. */
  question: string;
  /**
   * The question's vector; null while there is no embedder. The words are searched for while a
   * promised one is made.
   */
  vector: Float32Array | null | Promise<Float32Array | null>;
  /**
   * Passages wanted in the end; more candidates are read, as some may not be live and neighbours
   * are joined.
   */
  topN: number;
  /**
   * Only chunks of these (the `documentId` of their rows) are wanted: indexes that can, leave the
   * others out.
   */
  documentIds?: readonly string[];
}

/** What the indexes found, before anyone said which of it still exists. */
export interface Candidates {
  /** Ids to ask PostgreSQL about. */
  ids: string[];
  words: WeighedWord[];
  statistics: TermStatistics;
  text: TextHit[];
  dense: ScoredId[] | null;
}

const minCandidates = 60;
const overfetch = 10;
/** What a word of an earlier line counts in the question's mass. */
const earlierLineWeight = 0.5;
/**
 * Words of a question that are looked for at most: a pasted page has thousands, of which the most
 * telling hundred find the same.
 */
const mostWords = 100;
const nothing: TermStatistics = { documentCount: 0, frequencies: new Map(), averageLength: 0 };

/**
 * Asks the indexes, both at once. Either may be missing. Throws `VectorStoreError` where an index
 * that is there fails.
 */
export async function searchCandidates(
  indexes: { text: TextIndex | null; vectors: VectorIndex | null | Promise<VectorIndex | null> },
  { workspaceId, question, vector, topN, documentIds }: SearchRequest,
): Promise<Candidates> {
  const limit = Math.max(minCandidates, topN * overfetch);
  const [{ words, statistics, text }, dense] = await Promise.all([
    indexes.text
      ? searchText(indexes.text, workspaceId, question, limit, documentIds)
      : { words: [], statistics: nothing, text: [] },
    searchVectors(indexes.vectors, workspaceId, vector, limit, documentIds),
  ]);
  return {
    ids: [...new Set([...text, ...(dense ?? [])].map((hit) => hit.id))],
    words,
    statistics,
    text,
    dense,
  };
}

async function searchVectors(
  index: VectorIndex | null | Promise<VectorIndex | null>,
  workspaceId: number,
  vector: SearchRequest["vector"],
  limit: number,
  documentIds: SearchRequest["documentIds"],
): Promise<ScoredId[] | null> {
  const [vectors, unit] = await Promise.all([index, vector]);
  return vectors && unit
    ? vectors.search({ workspaceId, vector: unit, limit, ...(documentIds && { documentIds }) })
    : null;
}

const marks = stemmedLanguages.map((language) => languageMark + language);

async function searchText(
  index: TextIndex,
  workspaceId: number,
  question: string,
  limit: number,
  documentIds: SearchRequest["documentIds"],
): Promise<Pick<Candidates, "words" | "statistics" | "text">> {
  const written = await index.statistics({ workspaceId, terms: marks });
  if (written.documentCount === 0) return { words: [], statistics: nothing, text: [] };
  const languages = stemmedLanguages.filter((language) =>
    written.frequencies.has(languageMark + language),
  );
  // The last line is what is asked now; a follow-up's earlier lines only say what it is about.
  const lastLine = question.trimEnd().lastIndexOf("\n");
  const asked = analyseQuestion(question, { languages }).map((word) =>
    word.start < lastLine ? { ...word, weight: (word.weight ?? 1) * earlierLineWeight } : word,
  );
  const statistics = await index.statistics({
    workspaceId,
    terms: asked.flatMap((word) => word.forms),
  });
  const words = mostTelling(weighQuestion(asked, statistics));
  const terms = words.flatMap((word) => [...word.forms.keys()]);
  return {
    words,
    statistics,
    text: terms.length
      ? await index.search({ workspaceId, terms, limit, ...(documentIds && { documentIds }) })
      : [],
  };
}

/** In their order; words that stand in no chunk only where there is room. */
function mostTelling(words: WeighedWord[]): WeighedWord[] {
  if (words.length <= mostWords) return words;
  const kept = new Set(
    [...words]
      .sort((a, b) => Math.min(1, b.forms.size) - Math.min(1, a.forms.size) || b.idf - a.idf)
      .slice(0, mostWords),
  );
  return words.filter((word) => kept.has(word));
}

/** The order of what was found, and what it came from. */
export interface Ranking {
  /** The best first. */
  chunks: RankedChunk[];
  /** Terms of the first hits that widened the question. */
  expansion: ExpansionTerm[];
  /** Part of the order that vectors decided, 0 to 1. */
  denseShare: number;
}

/**
 * Ranks what is live (all, when `live` is left out). `expansion` false: by the question's own words
 * alone.
 */
export function rankCandidates(
  { words, statistics, text, dense }: Candidates,
  live?: ReadonlySet<string>,
  options: { expansion?: boolean } = {},
): Ranking {
  const exists = ({ id }: { id: string }): boolean => !live || live.has(id);
  const { hits, expansion } = rankText(text.filter(exists), words, statistics, options);
  return { ...fuse({ text: hits, dense: dense?.filter(exists) ?? null }), expansion };
}

/**
 * What each chunk itself says, in terms, for comparing chunks; null for those that only vectors
 * found.
 */
export function bodyTermsOf({ text }: Candidates): (id: string) => string[] | null {
  const terms = new Map(text.map((hit) => [hit.id, hit.terms]));
  return (id) => {
    const found = terms.get(id);
    return found === undefined ? null : splitChunkTerms(found).body;
  };
}
