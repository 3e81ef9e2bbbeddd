import { z } from "zod";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";
import { passage } from "../source.ts";
import { retrievalFilter, searchTrace } from "./search-trace.ts";

/** Internal: retrieval for one question. */
export const searchPassages = defineOperation({
  name: "ingest.passage.search",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  calls: ["workspace"],
  timeoutMs: 20_000,
  input: z.object({
    query: z.string().max(20_000),
    /** The previous question, if this one refers to it; its words count half. */
    previousQuery: z.string().max(20_000).nullable().default(null),
    topN: z.number().int().min(1).max(100),
    similarityThreshold: z.number().min(0).max(1),
    mode: z.enum(["hybrid", "text", "dense"]).default("hybrid"),
    /** Documents the prompt already contains in full; excluded before the best are counted. */
    excludeDocumentIds: z.array(z.uuid()).max(2_000).default([]),
    filter: retrievalFilter.default({}),
    /** Reranks the best hits; if no reranker works, their order is kept. */
    rerank: z.boolean().default(false),
    /** Expands the query with terms from the first hits. */
    expansion: z.boolean().default(true),
    /** Number of candidates to report in `trace`; 0: no trace. */
    trace: z.number().int().min(0).max(100).default(0),
  }),
  output: z.object({
    passages: z.array(passage),
    /**
     * The words searched for, each with its forms, its IDF in nats (as in a workspace that isn't
     * small), and whether any document contains it.
     */
    searched: z
      .array(z.object({ forms: z.array(z.string()), idf: z.number(), isFound: z.boolean() }))
      .default([]),
    /** Number of documents searched; 0 means the workspace is still empty. */
    documentCount: z.number().int(),
    /** Whether vectors were used. */
    dense: z.boolean(),
    milliseconds: z.number(),
    /**
     * The vector database (null: the embedder) that isn't available, and what was searched instead.
     */
    fallback: z
      .object({ store: z.string().nullable(), searched: z.enum(["text-index", "stored-text"]) })
      .nullable()
      .default(null),
    /** Which candidates were considered and why each was kept or dropped, if requested. */
    trace: searchTrace.nullable().default(null),
  }),
});

/**
 * Internal: the passages earlier answers used as sources, if their documents are still in the
 * workspace in scope. They come in the requested order, read again from the document, and are
 * limited to 1 MB (the first ones win). As no search ran, `score` is 0 and the other scores are
 * null.
 */
export const findPassages = defineOperation({
  name: "ingest.passage.find",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({
    /** Fields of `sourceWire`; `id` is returned as `chunkId`. */
    sources: z
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
 * Internal: names and first characters of places in documents of the workspace in scope, in request
 * order; null if the document is no longer there.
 */
export const describePlaces = defineOperation({
  name: "ingest.passage.describe",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
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

/**
 * Internal: the first passages of the newest searchable documents, in reading order and without
 * scores, for summaries and suggested questions.
 */
export const listLeadPassages = defineOperation({
  name: "ingest.passage.lead",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({
    documents: z.number().int().min(1).max(50),
    /** Per document. */
    passages: z.number().int().min(1).max(20),
    filter: retrievalFilter.default({}),
  }),
  output: z.object({ passages: z.array(passage) }),
});

export const passageContracts: Contracts = {
  operations: [searchPassages, findPassages, describePlaces, listLeadPassages],
};
