import { z } from "zod";
import { noWorkspace } from "./chat.ts";
import { rowId, slug } from "./coercion.ts";
import { defineOperation } from "./operation.ts";

/*
 * The retrieval inspector: what was searched for an answer, what was found, what became of it, and
 * what went into the prompt.
 */

const inWorkspace = { WORKSPACE_NOT_FOUND: noWorkspace };
const refused = { BAD_INPUT: { status: 400, kind: "json", body: { error: "$message" } } } as const;

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

/**
 * Internal: names and first characters of places in documents of the workspace in scope, in their
 * order; null: the document is not there any more.
 */
export const describePlaces = defineOperation({
  name: "ingest.passage.describe",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  timeoutMs: 10_000,
  input: z.object({
    places: z
      .array(
        z.object({
          documentId: z.uuid(),
          start: z.number().int().min(0).max(2_000_000_000),
          end: z.number().int().min(0).max(2_000_000_000),
        }),
      )
      .max(500),
  }),
  output: z.object({
    places: z.array(
      z
        .object({
          title: z.string(),
          docpath: z.string(),
          page: z.number().int().nullable(),
          headingPath: z.array(z.string()),
          excerpt: z.string(),
        })
        .nullable(),
    ),
  }),
});

/** A text of the prompt's context, in its order. */
export const inspectedPassage = z.object({
  /**
   * found: by this search. pinned, file: in full. earlier: a source of an earlier answer, put in
   * where the search found too few.
   */
  origin: z.enum(["found", "pinned", "file", "earlier"]),
  documentId: z.string(),
  title: z.string().nullable(),
  page: z.number().int().nullable(),
  headingPath: z.array(z.string()),
  start: z.number().int(),
  end: z.number().int(),
  excerpt: z.string(),
  score: z.number().nullable(),
  tokens: z.number().int(),
  /**
   * whole: all of it. cut: its end, or its middle, was left out. over-budget: left out. not-quoted:
   * the built-in answerer quoted nothing of it.
   */
  fate: z.enum(["whole", "cut", "over-budget", "not-quoted"]),
  /** Number of the source in the answer (its citation mark); null: it is none. */ source: z
    .number()
    .int()
    .nullable(),
});
export type InspectedPassage = z.infer<typeof inspectedPassage>;

/** What the model was given, by tokens. */
export const inspectedPrompt = z.object({
  /** Of the model; null for the built-in answerer, which has none. */ contextWindow: z
    .number()
    .int()
    .nullable(),
  tokens: z.object({
    system: z.number().int(),
    /** What is known of the person who asked. */ memories: z.number().int().default(0),
    pinned: z.number().int(),
    files: z.number().int(),
    passages: z.number().int(),
    history: z.number().int(),
    question: z.number().int(),
    images: z.number().int(),
    total: z.number().int(),
  }),
  /** Where the figures come from. reported: the provider's count of the whole, divided by length. counted: by Carrel's tokenizer. estimated: by length alone. */ basis:
    z.enum(["reported", "counted", "estimated"]),
  /** Earlier turns that were there to be told, and those that were told. */ turns: z.object({
    given: z.number().int(),
    kept: z.number().int(),
  }),
  /** Whether something was left out or cut for the window. */ isCut: z.boolean(),
});
export type InspectedPrompt = z.infer<typeof inspectedPrompt>;

export const inspection = z.object({
  /** As it was asked. */ question: z.string(),
  mode: z.enum(["chat", "query"]),
  /** null for a try-out, and for answers that ended before they were given to one. */ provider: z
    .string()
    .nullable(),
  model: z.string().nullable(),
  /** ISO 8601. */ at: z.string(),
  searches: z.array(inspectedSearch),
  passages: z.array(inspectedPassage),
  /** null: nothing was given to a model (a refusal, or the built-in answerer). */ prompt:
    inspectedPrompt.nullable(),
});
export type Inspection = z.infer<typeof inspection>;

/**
 * How an own answer came about; whoever may see the turn may see it. `inspection` null: nothing is
 * kept of it (it is older than
 * CARREL_INSPECTION_DAYS, was made before there were inspections, is still being made, or was never
 * searched for).
 * NOT_FOUND: no such turn, or another's.
 */
export const inspectTurn = defineOperation({
  name: "chat.turn.inspect",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: {
    ...inWorkspace,
    NOT_FOUND: { status: 404, kind: "json", body: { error: "Chat not found." } },
  },
  calls: ["ingest", "workspace"],
  http: {
    method: "GET",
    path: "/workspace/:slug/turns/:chatId/inspection",
    summary: "What was searched, found and given to the model for an answer",
  },
  input: z.object({ slug, chatId: rowId }),
  output: z.object({ inspection: inspection.nullable() }),
});

/**
 * Searches as the chat of the workspace would and writes nothing. What is left out is as the
 * workspace has it. `prompt` is what
 * its model would be given (estimated), without history; null with the built-in answerer.
 */
export const tryRetrieval = defineOperation({
  name: "chat.retrieval.try",
  service: "chat",
  access: { who: "manager", workspace: true },
  errors: { ...inWorkspace, ...refused },
  idempotency: "natural",
  calls: ["ingest", "workspace"],
  timeoutMs: 60_000,
  http: {
    method: "POST",
    path: "/workspace/:slug/retrieval/try",
    summary: "Try what a question finds in a workspace, and why",
  },
  input: z.object({
    slug,
    question: z.string().trim().min(1).max(20_000),
    /** The question before it, for a follow-up. */ previousQuestion: z
      .string()
      .trim()
      .max(20_000)
      .nullish(),
    filter: retrievalFilter.default({}),
    topN: z.number().int().min(1).max(100).optional(),
    similarityThreshold: z.number().min(0).max(1).optional(),
    /** text and dense search one half alone. */ mode: z
      .enum(["hybrid", "text", "dense"])
      .default("hybrid"),
    expansion: z.boolean().default(true),
    /** Default: as the workspace's search mode says. */ rerank: z.boolean().optional(),
  }),
  output: z.object({ inspection }),
});

/**
 * What the filter of a try-out can be set to: folders, types and tags of the documents of the
 * workspace, each with its number of documents, the most first, at most 200 each.
 */
export const listRetrievalFacets = defineOperation({
  name: "ingest.retrieval.facets",
  service: "ingest",
  access: { who: "manager", workspace: true },
  errors: inWorkspace,
  http: {
    method: "GET",
    path: "/workspace/:slug/retrieval/facets",
    summary: "Folders, types and tags of the documents of a workspace",
  },
  input: z.object({ slug }),
  output: z.object({
    folders: z.array(z.object({ value: z.string(), documents: z.number().int() })),
    types: z.array(z.object({ value: z.string(), documents: z.number().int() })),
    tags: z.array(z.object({ value: z.string(), documents: z.number().int() })),
  }),
});

/**
 * wire-contract 9.4: passages for a query, by the developer API. What cannot be read as a number is
 * as the workspace has it;
 * `filter` is ours. A workspace without documents answers with a message.
 */
export const searchVectors = defineOperation({
  name: "gateway.developer.vector-search",
  service: "gateway",
  access: { who: "key", workspace: true },
  errors: {
    KEY_REFUSED: { status: 403, kind: "json", body: { error: "No valid api key found." } },
    WORKSPACE_NOT_FOUND: {
      status: 400,
      kind: "json",
      body: { message: "This is not a valid workspace." },
    },
    BAD_INPUT: { status: 400, kind: "json", body: { message: "$message" } },
  },
  http: {
    method: "POST",
    path: "/v1/workspace/:slug/vector-search",
    mount: "custom",
    summary: "Search the documents of a workspace",
  },
  input: z.object({
    slug,
    query: z.unknown().optional(),
    topN: z.unknown().optional(),
    scoreThreshold: z.unknown().optional(),
    filter: retrievalFilter.nullish(),
  }),
  output: z.object({
    results: z.array(
      z.object({
        id: z.string(),
        text: z.string(),
        metadata: z.object({
          url: z.string(),
          title: z.string(),
          author: z.string(),
          description: z.string(),
          docSource: z.string(),
          chunkSource: z.string(),
          published: z.string(),
          wordCount: z.number().int(),
          tokenCount: z.number().int(),
        }),
        distance: z.number(),
        score: z.number(),
      }),
    ),
    message: z.string().optional(),
  }),
});
