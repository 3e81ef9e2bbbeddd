import { z } from "zod";
import { retrievalFilter, searchTrace } from "./search-trace.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";
import { passage } from "../source.ts";

/**
 * Internal: retrieval for one question. `query` may hold the previous question too (follow-ups).
 */
export const searchPassages = defineOperation({
  name: "ingest.passage.search",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  calls: ["workspace"],
  timeoutMs: 20_000,
  input: z.object({
    query: z.string().max(20_000),
    topN: z.number().int().min(1).max(100),
    similarityThreshold: z.number().min(0).max(1),
    mode: z.enum(["hybrid", "text", "dense"]).default("hybrid"),
    /** Documents that the prompt holds in full already: left out before the best are counted. */ excludeDocumentIds:
      z.array(z.uuid()).max(2_000).default([]),
    filter: retrievalFilter.default({}),
    /** Orders the best once more by a reranker; without one that works the order stays. */ rerank:
      z.boolean().default(false),
    /** Widens the query by terms of the first hits. */ expansion: z.boolean().default(true),
    /** Candidates that are told of in `trace`; 0: no trace. */ trace: z
      .number()
      .int()
      .min(0)
      .max(100)
      .default(0),
  }),
  output: z.object({
    passages: z.array(passage),
    /** Documents that were searched; 0 means that the workspace holds nothing yet. */
    documentCount: z.number().int(),
    /** Whether vectors took part. */
    dense: z.boolean(),
    milliseconds: z.number(),
    /** What was looked at and why it was kept or dropped, where asked for. */ trace: searchTrace
      .nullable()
      .default(null),
  }),
});

/**
 * Internal: the passages that earlier answers had as sources, as far as their documents are still
 * in the workspace in scope; in
 * the order asked for, read anew, at most 1 MB (the first ones). Nobody searched for them: `score`
 * is 0, the others null.
 */
export const findPassages = defineOperation({
  name: "ingest.passage.find",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  timeoutMs: 10_000,
  input: z.object({
    /** Fields of `sourceWire`; `id` is given back as `chunkId`. */ sources: z
      .array(
        z.object({
          id: z.string().max(255),
          documentId: z.uuid(),
          start: z.number().int().min(0).max(2_000_000_000),
          end: z.number().int().min(0).max(2_000_000_000),
        }),
      )
      .max(200),
  }),
  output: z.object({ passages: z.array(passage) }),
});

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

export const passageContracts: Contracts = {
  operations: [searchPassages, findPassages, describePlaces],
};
