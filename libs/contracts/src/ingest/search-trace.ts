import { z } from "zod";

// No text in PostgreSQL holds a null character.
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

/** A day (`2026-03-31`, UTC) or a moment in ISO 8601. */
const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/**
 * Which documents a search may look at. Of the values in one list one has to fit; all lists that
 * are given have to. An
 * empty list says nothing.
 */
export const retrievalFilter = z.object({
  /** Folders of the library, each with those below it. */
  folders: words(255).optional(),
  /**
   * MIME types (`application/pdf`), their families (`image/*`) endings of file names (`.pdf`,
   * `pdf`) or kinds of the library (`word`, `sheet`); capitals do not matter.
   */
  types: words(255).optional(),
  /** Tags of documents; capitals do not matter. */
  tags: words(100).optional(),
  documentIds: z.array(z.uuid()).max(1_000).optional(),
  /** Added to the library at this moment or later; a day means its beginning. */
  addedFrom: moment.optional(),
  /** Added before this moment; a day is meant with its end. */
  addedUntil: moment.optional(),
});

export type RetrievalFilter = z.infer<typeof retrievalFilter>;

/**
 * What the order rests on after the fusion of words and vectors. `built-in` is part of the product,
 * `native` a cross-encoder in this process, `llm` the configured language model.
 */
export const rerankerKind = z.enum(["built-in", "native", "llm"]);

export type RerankerKind = z.infer<typeof rerankerKind>;

/**
 * Why a candidate is in the prompt or not. kept: its passage went on. joined: it stands in the
 * passage of a better neighbour.
 * below-threshold: its score is lower than the workspace asks for. duplicate: it says the same as a
 * better one (`duplicateOf`).
 * over-top-n: enough better ones were there. in-prompt: its document is in the prompt in full
 * (pinned). over-budget: found and
 * kept, but the model's window had no room. not-quoted: the built-in answerer found no sentence in
 * it that answers.
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
  /** Place in the final order, from 1. */ place: z.number().int(),
  documentId: z.string(),
  /** null: the document is not in the workspace any more; then excerpt and page are empty too. */ title:
    z.string().nullable(),
  docpath: z.string().nullable(),
  page: z.number().int().nullable(),
  headingPath: z.array(z.string()),
  /** Character range in the document's text. */ start: z.number().int(),
  end: z.number().int(),
  /** The chunk's beginning, at most 300 characters. */ excerpt: z.string(),
  /** Cosine, 0 to 1, and the place among the hits by vector (from 1); null: not among them. */ denseScore:
    z.number().nullable(),
  densePlace: z.number().int().nullable(),
  /** Share of the question's weight that stands close together in it, 0 to 1, and the place among the hits by words. */ textScore:
    z.number().nullable(),
  textPlace: z.number().int().nullable(),
  /** The larger of the two scores: what the threshold is held against. */ score: z.number(),
  /** 0 to 1, what fusion orders by; and the place that it gave (from 1), which a reranker may have changed. */ fusedRank:
    z.number(),
  fusedPlace: z.number().int(),
  /** 0 to 1; null: no reranker looked at it. */ rerankScore: z.number().nullable(),
  fate: candidateFate,
  /** `place` of the better one, for fate duplicate (and joined: of the one whose passage it joined). */ better:
    z.number().int().nullable(),
});

export type InspectedCandidate = z.infer<typeof inspectedCandidate>;

/**
 * One search. A question that may lean on the one before it is searched for in several readings.
 */
export const inspectedSearch = z.object({
  /** As it was searched: of a follow-up the question before it in front, on a line of its own. */ query:
    z.string(),
  /** Whether `query` holds more than what was asked. */ isRewritten: z.boolean(),
  /**
   * Words of the query that were looked for, as written; `weight` is the share of each in the
   * question, all together 1; `found`: whether some chunk of the workspace holds it.
   */
  words: z.array(z.object({ text: z.string(), weight: z.number(), found: z.boolean() })),
  /** Terms (stems) that the first hits added, the weightiest first; empty: the query was not widened. */ expansion:
    z.array(z.object({ term: z.string(), weight: z.number() })),
  filter: retrievalFilter,
  threshold: z.number(),
  topN: z.number().int(),
  /** Documents that could be found, of those the filter leaves. */ documentCount: z.number().int(),
  /** Embedder whose vectors took part; null: full text alone. */ embedder: z.string().nullable(),
  /** Part of the order that vectors decided, 0 to 1. */ denseShare: z.number(),
  rerank: z.object({
    /** null: the workspace does not rerank. */ kind: rerankerKind.nullable(),
    model: z.string().nullable(),
    /** Candidates it looked at. */ count: z.number().int(),
    milliseconds: z.number(),
    /** Why the order stayed as fusion made it, in words for the person. */ fault: z
      .string()
      .nullable(),
  }),
  /** The best first. */ candidates: z.array(inspectedCandidate),
  /** All that were found; `candidates` holds at most 100 of them. */ candidateCount: z
    .number()
    .int(),
  milliseconds: z.number(),
});

export type InspectedSearch = z.infer<typeof inspectedSearch>;

/**
 * Internal: a search as it is kept, small and without any text: names and texts are read when
 * somebody looks, so that nothing
 * stays of a document that was removed.
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
  denseShare: z.number(),
  rerank: inspectedSearch.shape.rerank,
  candidateCount: z.number(),
  milliseconds: z.number(),
  /** Ids that `candidates` points into. */ documents: z.array(z.string()),
  /**
   * The best first, each: index of the document, start, end, dense score, dense place, text score,
   * text place, score, fused rank,
   * fused place, rerank score, index of the fate in `candidateFate`, place of the better one.
   */
  candidates: z.array(z.array(z.number().nullable())),
});

export type SearchTrace = z.infer<typeof searchTrace>;
