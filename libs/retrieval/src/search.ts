import {
  inverseDocumentFrequency,
  type ScoredId,
  type TermStatistics,
  type TextHit,
  type TextIndex,
  type VectorIndex,
} from "@carrel/vector-store";
import { analyseQuestion } from "./analyse.ts";
import { languageMark } from "./chunk-terms.ts";
import type { ExpansionTerm } from "./expand-question.ts";
import { fuse, type RankedChunk } from "./fuse.ts";
import { stemmedLanguages } from "./language.ts";
import {
  countedForms,
  questionParts,
  weighQuestion,
  type QuestionPart,
  type SearchedWord,
  type WeighedWord,
} from "./question.ts";
import { termNumbers } from "./term-numbers.ts";
import { rankText } from "./text-rank.ts";

export interface SearchRequest {
  workspaceId: number;
  question: string;
  /** The question that a follow-up refers to; its words count half. Default null. */
  previousQuestion?: string | null;
  /**
   * The question's vector; null without an embedder. Text search runs while a promised vector is
   * computed.
   */
  vector: Float32Array | null | Promise<Float32Array | null>;
  /**
   * Number of passages wanted. More candidates are read, because some may not be live and
   * neighbours are joined.
   */
  topN: number;
  /**
   * Restricts the search to these documents (the `documentId` of their rows), in indexes that
   * support it.
   */
  documentIds?: readonly string[];
}

/** Hits of the indexes, before checking which of them still exist. */
export interface Candidates {
  /** Ids to look up in PostgreSQL. */
  ids: string[];
  words: WeighedWord[];
  /** Clauses of the question. */
  parts: QuestionPart[];
  statistics: TermStatistics;
  text: TextHit[];
  dense: ScoredId[] | null;
  /** Neither index filled its limit, so asking for more would hardly find anything else. */
  isExhausted: boolean;
}

/** Feedback and fusion need depth: a hit that only one half ranks, far down, still counts. */
const minCandidates = 300;
const overfetch = 10;
/** Up to this `topN`, the same candidates are read. */
export const minReach = minCandidates / overfetch;
/** Weight of the previous question's words in the question's mass. */
const previousWeight = 0.5;
/**
 * Maximum words to search for: a pasted page has thousands, and its hundred most distinctive find
 * the same.
 */
const maxWords = 100;
const nothing: TermStatistics = { documentCount: 0, frequencies: new Map(), averageLength: 0 };

/** The part of a full-text index that a search needs. */
type SearchableText = Pick<TextIndex, "statistics" | "search">;
/** The part of a vector index that a search needs; null if it turns out not to be available. */
interface SearchableVectors {
  search(query: Parameters<VectorIndex["search"]>[0]): Promise<ScoredId[] | null>;
}

/**
 * Queries both indexes concurrently; either may be missing. Throws `VectorStoreError` if an
 * existing index fails.
 */
export async function searchCandidates(
  indexes: {
    text: SearchableText | null;
    vectors: SearchableVectors | null | Promise<SearchableVectors | null>;
  },
  { workspaceId, question, previousQuestion, vector, topN, documentIds }: SearchRequest,
): Promise<Candidates> {
  const limit = Math.max(minCandidates, topN * overfetch);
  const [{ words, parts, statistics, text }, dense] = await Promise.all([
    indexes.text
      ? searchText(
          indexes.text,
          { workspaceId, question, previousQuestion: previousQuestion ?? null, documentIds },
          limit,
        )
      : { words: [], parts: [], statistics: nothing, text: [] },
    searchVectors(indexes.vectors, workspaceId, vector, limit, documentIds),
  ]);
  return {
    ids: [...new Set([...text, ...(dense ?? [])].map((hit) => hit.id))],
    words,
    parts,
    statistics,
    text,
    dense,
    isExhausted: text.length < limit && (dense?.length ?? 0) < limit,
  };
}

async function searchVectors(
  index: SearchableVectors | null | Promise<SearchableVectors | null>,
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
  index: SearchableText,
  {
    workspaceId,
    question,
    previousQuestion,
    documentIds,
  }: Pick<SearchRequest, "workspaceId" | "question" | "documentIds"> & {
    previousQuestion: string | null;
  },
  limit: number,
): Promise<Pick<Candidates, "words" | "parts" | "statistics" | "text">> {
  const written = await index.statistics({ workspaceId, terms: marks });
  if (written.documentCount === 0) return { words: [], parts: [], statistics: nothing, text: [] };
  const languages = stemmedLanguages.filter((language) =>
    written.frequencies.has(languageMark + language),
  );
  // Analysed together, so that a word in both counts as repeated.
  const topic = previousQuestion === null ? "" : `${previousQuestion}\n`;
  const asked = analyseQuestion(topic + question, { languages }).map((word) =>
    word.start < topic.length ? { ...word, weight: (word.weight ?? 1) * previousWeight } : word,
  );
  const statistics = await index.statistics({
    workspaceId,
    terms: countedForms(asked),
  });
  const words = selectInformative(weighQuestion(asked, statistics));
  const terms = words.flatMap((word) =>
    [...word.forms.keys()].flatMap((form) => Array<string>(word.count).fill(form)),
  );
  return {
    words,
    parts: questionParts(topic + question),
    statistics,
    text: terms.length
      ? await index.search({ workspaceId, terms, limit, ...(documentIds && { documentIds }) })
      : [],
  };
}

/** In their order; words that occur in no chunk are kept only if there is room. */
function selectInformative(words: WeighedWord[]): WeighedWord[] {
  if (words.length <= maxWords) return words;
  const kept = new Set(
    [...words]
      .sort((a, b) => Math.min(1, b.forms.size) - Math.min(1, a.forms.size) || b.idf - a.idf)
      .slice(0, maxWords),
  );
  return words.filter((word) => kept.has(word));
}

/** The ranked hits, and how they were ranked. */
export interface Ranking {
  /** Best first. */
  chunks: RankedChunk[];
  /** Terms from the top hits that expanded the question. */
  expansion: ExpansionTerm[];
}

/**
 * Ranks the live chunks, or all if `live` is omitted. With `expansion` false, uses only the
 * question's own words.
 */
export function rankCandidates(
  { words, parts, statistics, text, dense }: Candidates,
  live?: ReadonlySet<string>,
  options: { expansion?: boolean; withoutVectors?: ReadonlySet<string> } = {},
): Ranking {
  const exists = ({ id }: { id: string }): boolean => !live || live.has(id);
  const { withoutVectors, ...ranking } = options;
  const { hits, expansion } = rankText(text.filter(exists), words, statistics, {
    ...ranking,
    parts,
  });
  const found = dense?.filter(exists) ?? null;
  return { chunks: fuse({ text: hits, dense: found, withoutVectors }), expansion };
}

/**
 * IDF in nats of a word in one of 45 chunks; with fewer chunks, half of the difference is made up.
 */
const rareIdf = 3.4;

/** The question's words as weighed, for quoting. */
export function searchedWords({ words, statistics }: Candidates): SearchedWord[] {
  // In a few chunks, no word seems rare.
  const rarest = inverseDocumentFrequency(1, Math.max(1, statistics.documentCount));
  const scale = Math.sqrt(Math.max(1, rareIdf / rarest));
  return words.map(({ asked, variants, idf, forms }) => ({
    forms: [...asked, ...variants],
    idf: idf * scale,
    isFound: forms.size > 0,
  }));
}

/**
 * Each chunk's own terms, for comparing chunks; null for chunks only vectors found. As numbers,
 * which are valid until another search starts.
 */
export function bodyTermsOf({ text }: Candidates): (id: string) => Int32Array | null {
  const terms = new Map(text.map((hit) => [hit.id, hit.terms]));
  return (id) => {
    const found = terms.get(id);
    return found === undefined ? null : termNumbers.read(found).body;
  };
}
