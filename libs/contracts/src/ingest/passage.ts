import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { passage } from "../source.ts";
import { retrievalFilter, searchTrace } from "./search-trace.ts";

const place = z.number().int().min(0);

/** A place in a document's text that contains the words. */
export const documentHit = z.object({
  documentId: z.uuid(),
  title: z.string(),
  mime: z.string(),
  /** One of the workspaces that contain the document and that the caller may use. */
  workspace: z.object({ slug: z.string(), name: z.string() }),
  page: z.number().int().nullable(),
  headingPath: z.array(z.string()),
  /** The text from `start` to `end`, in UTF-16 units of the document. */
  excerpt: z.string(),
  start: place,
  end: place,
  /** The matching words in it, by their offsets in the document, in order and not overlapping. */
  matches: z.array(z.object({ start: place, end: place })),
});
export type DocumentHit = z.infer<typeof documentHit>;

/**
 * Finds words in the documents of every workspace the caller may use, best first. Words match by
 * prefix, ignoring case and accents. Queries under three characters find nothing.
 */
export const searchDocumentTexts = defineOperation({
  name: "ingest.document.search-texts",
  service: "ingest",
  access: { who: "session" },
  idempotency: "natural",
  calls: ["workspace"],
  routes: [
    {
      method: "POST",
      path: "/documents/search",
      summary: "Find words in the documents of all workspaces, with their places",
    },
  ],
  input: z.object({
    searchTerm: z.string().max(200).default(""),
    /** The workspace to name for documents that several contain. */
    preferred: z.string().max(255).optional(),
    limit: z.number().int().min(1).max(50).default(20),
  }),
  output: z.object({
    hits: z.array(documentHit),
    /** Whether the index of one of these workspaces lacks documents that it had. */
    isRebuilding: z.boolean().optional(),
  }),
});

/**
 * Filter options of a retrieval test: folders, types and tags of the workspace's documents with
 * their document counts, largest first, at most 200 each.
 */
export const listRetrievalFacets = defineOperation({
  name: "ingest.retrieval.facets",
  service: "ingest",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  errors: inWorkspace,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/retrieval/facets",
      summary: "List the folders, types and tags of a workspace's documents",
    },
  ],
  input: z.object({ slug }),
  output: z.object({
    folders: z.array(z.object({ value: z.string(), documents: z.number().int() })),
    types: z.array(z.object({ value: z.string(), documents: z.number().int() })),
    tags: z.array(z.object({ value: z.string(), documents: z.number().int() })),
  }),
});

/** What a place in a document is called. */
const placeName = z.object({
  title: z.string(),
  docpath: z.string(),
  page: z.number().int().nullable(),
  headingPath: z.array(z.string()),
});
export type PlaceName = z.infer<typeof placeName>;

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
    /** Also names the candidates of the trace, for someone who looks at it now. */
    names: z.boolean().default(false),
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
     * With `isRebuilding`, it is available but doesn't hold all documents again yet.
     */
    fallback: z
      .object({
        store: z.string().nullable(),
        searched: z.enum(["text-index", "stored-text"]),
        isRebuilding: z.boolean().optional(),
      })
      .nullable()
      .default(null),
    /** Which candidates were considered and why each was kept or dropped, if requested. */
    trace: searchTrace.nullable().default(null),
    /** What each candidate of the trace is called, if requested; null if its document is gone. */
    names: z.array(placeName.nullable()).optional(),
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
    places: z.array(placeName.extend({ excerpt: z.string() }).nullable()),
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
  operations: [
    searchPassages,
    findPassages,
    describePlaces,
    listLeadPassages,
    listRetrievalFacets,
    searchDocumentTexts,
  ],
};
