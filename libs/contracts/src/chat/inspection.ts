import { z } from "zod";
import { rowId, slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { inspectedSearch, retrievalFilter } from "../ingest/search-trace.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { chatModes } from "./conversation.ts";

/** One text of the prompt's context, in prompt order. */
export const inspectedPassage = z.object({
  /**
   * found: by this search. pinned, file: included in full. earlier: a source of an earlier answer,
   * added because the search found too few.
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
   * whole: included in full. cut: its end or middle was left out. over-budget: left out.
   * not-quoted: the built-in answerer quoted nothing from it.
   */
  fate: z.enum(["whole", "cut", "over-budget", "not-quoted"]),
  /** Number of the source in the answer (its citation mark); null if it is not a source. */
  source: z.number().int().nullable(),
});

export type InspectedPassage = z.infer<typeof inspectedPassage>;

/** What the model received, in tokens. */
export const inspectedPrompt = z.object({
  /** The model's context window; null for the built-in answerer, which has none. */
  contextWindow: z.number().int().nullable(),
  tokens: z.object({
    system: z.number().int(),
    /** Memories of the person who asked. */
    memories: z.number().int().default(0),
    pinned: z.number().int(),
    files: z.number().int(),
    passages: z.number().int(),
    history: z.number().int(),
    question: z.number().int(),
    images: z.number().int(),
    total: z.number().int(),
  }),
  /**
   * Origin of the figures. reported: the provider's total, divided by length. counted: by Carrel's
   * tokenizer. estimated: from length alone.
   */
  basis: z.enum(["reported", "counted", "estimated"]),
  /** Earlier turns available and earlier turns included. */
  turns: z.object({
    given: z.number().int(),
    kept: z.number().int(),
  }),
  /** Whether anything was left out or cut to fit the window. */
  isCut: z.boolean(),
});

export type InspectedPrompt = z.infer<typeof inspectedPrompt>;

export const inspection = z.object({
  /** The question as asked. */
  question: z.string(),
  mode: z.enum(chatModes),
  /** null for a retrieval test and for answers that ended before reaching a provider. */
  provider: z.string().nullable(),
  model: z.string().nullable(),
  /** ISO 8601. */
  at: z.string(),
  searches: z.array(inspectedSearch),
  passages: z.array(inspectedPassage),
  /** null if nothing was sent to a model (a refusal, or the built-in answerer). */
  prompt: inspectedPrompt.nullable(),
});

export type Inspection = z.infer<typeof inspection>;

/**
 * How one of the caller's answers was produced; visible to anyone who may see the turn.
 * `inspection` is null if none was kept: the turn is older than CARREL_INSPECTION_DAYS, predates
 * inspections, is still being generated or never ran a search. NOT_FOUND if the turn does not exist
 * or belongs to someone else.
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
      summary: "Get what was searched, found and sent to the model for an answer",
    },
  ],
  input: z.object({ slug, chatId: rowId }),
  output: z.object({ inspection: inspection.nullable() }),
});

const refused = { BAD_INPUT: { status: 400, kind: "json", body: { error: "$message" } } } as const;

/**
 * Searches exactly as the workspace's chat would, without writing anything; omitted fields use the
 * workspace's settings. `prompt` is what its model would receive (estimated), without history; null
 * with the built-in answerer.
 */
export const tryRetrieval = defineOperation({
  name: "chat.retrieval.try",
  service: "chat",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  errors: { ...inWorkspace, ...refused },
  idempotency: "natural",
  calls: ["ingest", "workspace"],
  timeoutMs: 60_000,
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/retrieval/try",
      summary: "Test what a question finds in a workspace, and why",
    },
  ],
  input: z.object({
    slug,
    question: z.string().trim().min(1).max(20_000),
    /** The preceding question, if this one is a follow-up. */
    previousQuestion: z.string().trim().max(20_000).nullish(),
    filter: retrievalFilter.default({}),
    topN: z.number().int().min(1).max(100).optional(),
    similarityThreshold: z.number().min(0).max(1).optional(),
    /** `text` and `dense` run only that half of the hybrid search. */
    mode: z.enum(["hybrid", "text", "dense"]).default("hybrid"),
    expansion: z.boolean().default(true),
    /** Default: the workspace's search mode decides. */
    rerank: z.boolean().optional(),
  }),
  output: z.object({ inspection }),
});

export const inspectionContracts: Contracts = {
  operations: [inspectTurn, tryRetrieval],
};
