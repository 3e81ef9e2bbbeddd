import { z } from "zod";
import { rowId, slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { inspectedSearch, retrievalFilter } from "../ingest/search-trace.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

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
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/turns/:chatId/inspection",
      summary: "What was searched, found and given to the model for an answer",
    },
  ],
  input: z.object({ slug, chatId: rowId }),
  output: z.object({ inspection: inspection.nullable() }),
});

const refused = { BAD_INPUT: { status: 400, kind: "json", body: { error: "$message" } } } as const;

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
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/retrieval/try",
      summary: "Try what a question finds in a workspace, and why",
    },
  ],
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

export const inspectionContracts: Contracts = {
  operations: [inspectTurn, tryRetrieval],
};
