import { z } from "zod";
import { reasonWire } from "../errors/error-definition.ts";

// PostgreSQL text cannot hold a null character.
const words = (longest: number) =>
  z
    .array(
      z
        .string()
        .trim()
        .min(1)
        .max(longest)
        .regex(/^[^\0]*$/),
    )
    .max(50);

/** A date (`2026-03-31`, UTC) or an ISO 8601 timestamp. */
const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** Documents and folders of the library, including their subfolders. */
export const retrievalPlaces = z
  .object({
    documentIds: z.array(z.uuid()).max(50).default([]),
    folders: words(255).default([]),
  })
  .refine(({ documentIds, folders }) => documentIds.length + folders.length > 0, {
    error: "Name at least one document or folder.",
  });
export type RetrievalPlaces = z.infer<typeof retrievalPlaces>;

/**
 * Restricts a search to matching documents. A document must match one value of each list. Empty
 * lists are ignored.
 */
export const retrievalFilter = z.object({
  /** Library folders, including their subfolders. */
  folders: words(255).optional(),
  /**
   * MIME types (`application/pdf`), MIME families (`image/*`), file extensions (`.pdf`, `pdf`) or
   * library kinds (`word`, `sheet`); case-insensitive.
   */
  types: words(255).optional(),
  /** Document tags; case-insensitive. */
  tags: words(100).optional(),
  documentIds: z.array(z.uuid()).max(1_000).optional(),
  /** One of these documents, or one in these folders. */
  places: retrievalPlaces.optional(),
  /** Added to the library at or after this time; a date means its start. */
  addedFrom: moment.optional(),
  /** Added before this time; a date includes the whole day. */
  addedUntil: moment.optional(),
});

export type RetrievalFilter = z.infer<typeof retrievalFilter>;

/**
 * What determines the order after full-text and vector hits are fused. `built-in` is part of the
 * product, `native` a cross-encoder in this process, `llm` the configured language model.
 */
export const rerankerKind = z.enum(["built-in", "native", "llm"]);

export type RerankerKind = z.infer<typeof rerankerKind>;

/**
 * Why a candidate is or is not in the prompt. kept: its passage was passed on. joined: merged into
 * the passage of a better neighbour. below-threshold: scores below the workspace's minimum.
 * duplicate: same content as a better one (`better`). over-top-n: below the top N. in-prompt: its
 * document is already in the prompt in full (pinned). over-budget: kept, but the model's context
 * window had no room. not-quoted: the built-in answerer found no sentence in it that answers the
 * question.
 */
export const candidateFate = z.enum([
  "kept",
  "joined",
  "below-threshold",
  "duplicate",
  "over-top-n",
  "in-prompt",
  "over-budget",
  "not-quoted",
]);

export type CandidateFate = z.infer<typeof candidateFate>;

export const inspectedCandidate = z.object({
  /** Rank in the final order, from 1. */
  place: z.number().int(),
  documentId: z.string(),
  /** null if the document is no longer in the workspace; excerpt and page are then empty too. */
  title: z.string().nullable(),
  docpath: z.string().nullable(),
  page: z.number().int().nullable(),
  headingPath: z.array(z.string()),
  /** Character range in the document's text. */
  start: z.number().int(),
  end: z.number().int(),
  /**
   * Beginning of the chunk, at most 300 characters; null if it wasn't read, as in a test: it is the
   * document's text from `start`.
   */
  excerpt: z.string().nullable(),
  /** Cosine, 0 to 1, and the rank among the vector hits (from 1); null if not among them. */
  denseScore: z.number().nullable(),
  densePlace: z.number().int().nullable(),
  /**
   * Share of the question's weight found close together in it, 0 to 1, and the rank among the
   * full-text hits.
   */
  textScore: z.number().nullable(),
  textPlace: z.number().int().nullable(),
  /** The larger of the two scores, which is compared with the threshold. */
  score: z.number(),
  /**
   * Score that fusion sorts by, 0 to 1, and the resulting rank (from 1), which a reranker may have
   * changed.
   */
  fusedRank: z.number(),
  fusedPlace: z.number().int(),
  /** 0 to 1; null if no reranker scored it. */
  rerankScore: z.number().nullable(),
  fate: candidateFate,
  /**
   * `place` of the better candidate, for duplicate, and for joined of the one it was merged into.
   */
  better: z.number().int().nullable(),
});

export type InspectedCandidate = z.infer<typeof inspectedCandidate>;

/**
 * One search. A question that may refer to the previous one is searched for together with it.
 */
export const inspectedSearch = z.object({
  /**
   * The query as searched: for a follow-up, the previous question precedes it on a separate line.
   */
  query: z.string(),
  /** Whether `query` contains more than the question. */
  isRewritten: z.boolean(),
  /**
   * Query words searched for, as written. `weight` is each word's share of the question, all
   * together 1; `found` says whether any chunk of the workspace contains it.
   */
  words: z.array(z.object({ text: z.string(), weight: z.number(), found: z.boolean() })),
  /**
   * Terms (stems) added from the first hits, highest weight first; empty if the query was not
   * expanded.
   */
  expansion: z.array(z.object({ term: z.string(), weight: z.number() })),
  filter: retrievalFilter,
  threshold: z.number(),
  topN: z.number().int(),
  /** Number of searchable documents the filter matches. */
  documentCount: z.number().int(),
  /** Embedder whose vectors were used; null: full-text search only. */
  embedder: z.string().nullable(),
  rerank: z.object({
    /** null: the workspace does not rerank. */
    kind: rerankerKind.nullable(),
    model: z.string().nullable(),
    /** Number of candidates it scored. */
    count: z.number().int(),
    milliseconds: z.number(),
    /** Why the built-in reranker decided instead. */
    fault: reasonWire.nullable(),
  }),
  /** Best first. */
  candidates: z.array(inspectedCandidate),
  /** Total number found; `candidates` holds at most 100 of them. */
  candidateCount: z.number().int(),
  milliseconds: z.number(),
});

export type InspectedSearch = z.infer<typeof inspectedSearch>;

/**
 * Internal: a search as stored, compact and without text. Names and texts are read when someone
 * views it, so nothing remains of a deleted document.
 */
export const searchTrace = z.object({
  query: z.string(),
  words: inspectedSearch.shape.words,
  expansion: inspectedSearch.shape.expansion,
  filter: retrievalFilter,
  threshold: z.number(),
  topN: z.number(),
  documentCount: z.number(),
  embedder: z.string().nullable(),
  rerank: inspectedSearch.shape.rerank,
  candidateCount: z.number(),
  milliseconds: z.number(),
  /** Document ids that `candidates` refers to by index. */
  documents: z.array(z.string()),
  /**
   * Best first; each is: document index, start, end, dense score, dense rank, text score, text
   * rank, score, fused score, fused rank, rerank score, index of the fate in `candidateFate`, place
   * of the better one.
   */
  candidates: z.array(z.array(z.number().nullable())),
});

export type SearchTrace = z.infer<typeof searchTrace>;
