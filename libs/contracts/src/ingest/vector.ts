import { z } from "zod";
import { slug } from "../coercion.ts";
import { byKey, refusedKey } from "../error-reply.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { retrievalFilter } from "./search-trace.ts";

/**
 * Internal: whether vectors exist (changing the embedder then requires a new index) and the state
 * of the native model.
 */
export const getEmbeddingState = defineOperation({
  name: "ingest.embedding.state",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "natural",
  calls: ["workspace"],
  input: z.object({}),
  output: z.object({
    hasEmbeddings: z.boolean(),
    native: z.object({
      state: z.enum(["ready", "missing", "downloading", "off"]),
      fault: faultWire.nullable(),
      progress: z.number().nullable(),
    }),
  }),
});

/** Internal: the active index's embedder. Throws if there is none. */
export const describeEmbedder = defineOperation({
  name: "ingest.embedding.describe",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "natural",
  calls: ["workspace"],
  input: z.object({}),
  output: z.object({
    provider: z.string(),
    model: z.string(),
    /** Whether its use is recorded; the built-in embedder counts no tokens. */
    isCounted: z.boolean(),
    /** The length of its vectors; null before the first one. */
    dimensions: z.number().int().nullish(),
  }),
});

/** Internal: embeds texts with the active index's embedder, for clients that keep the vectors. */
export const embedTexts = defineOperation({
  name: "ingest.embedding.embed",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "natural",
  calls: ["workspace"],
  timeoutMs: 60_000,
  input: z.object({
    /** A text, or its tokens in `cl100k_base`. */
    texts: z.array(z.union([z.string(), z.array(z.number().int())])).max(2_048),
    /** Set on the last request of a call that budgets have admitted. */
    callId: z.uuid().optional(),
  }),
  output: z.object({
    model: z.string(),
    /** base64 of 32-bit floats, little-endian. */
    vectors: z.array(z.string()),
    tokens: z.number().int(),
  }),
});

/** Unknown and inaccessible slugs count as 0. */
export const countVectors = defineOperation({
  name: "ingest.vector.count",
  service: "ingest",
  access: { who: "manager" },
  calls: ["workspace"],
  routes: [
    {
      method: "GET",
      path: "/system/system-vectors",
      summary: "Count the vectors of one or all workspaces",
    },
    {
      ...byKey("read", { restrictedKeys: true }),
      name: "gateway.developer-system.vector-count",
      method: "GET",
      path: "/v1/system/vector-count",
      summary: "Count the vectors of all workspaces that the key may use",
      input: z.object({}),
    },
  ],
  input: z.object({ slug: z.string().max(255).optional() }),
  output: z.object({ vectorCount: z.number().int() }),
});

/**
 * wire-contract 9.4: passages for a query, for the developer API. Values that are not valid numbers
 * fall back to the workspace's settings; `filter` is Carrel-specific. A workspace without documents
 * responds with a message.
 */
export const searchVectors = defineOperation({
  name: "gateway.developer.vector-search",
  service: "gateway",
  access: { who: "key", scope: "read", workspace: true },
  errors: {
    ...refusedKey,
    WORKSPACE_NOT_FOUND: {
      status: 400,
      kind: "json",
      body: { message: "This is not a valid workspace." },
    },
    BAD_INPUT: { status: 400, kind: "json", body: { message: "$message" } },
  },
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/v1/workspace/:slug/vector-search",
      summary: "Search the documents of a workspace",
    },
  ],
  input: z.object({
    slug,
    query: z.unknown().optional().meta({ type: "string" }),
    topN: z.unknown().optional().meta({ type: "integer", minimum: 1 }),
    scoreThreshold: z.unknown().optional().meta({ type: "number", minimum: 0, maximum: 1 }),
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

export const vectorContracts: Contracts = {
  operations: [getEmbeddingState, describeEmbedder, embedTexts, countVectors, searchVectors],
};
