import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { faultWire, reasonWire } from "../errors/error-definition.ts";
import { defineEvent, defineJob, defineOperation, type Contracts } from "../operation.ts";

/**
 * How much of a workspace semantic search covers. `missing`: the built-in model will be downloaded
 * once a document needs it; `off`: it isn't downloaded and won't be; `unset`: no embedder is set
 * up.
 */
export const getSearchState = defineOperation({
  name: "ingest.search.state",
  service: "ingest",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  calls: ["workspace"],
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/search-state",
      summary: "Get how many documents semantic search covers",
    },
  ],
  input: z.object({ slug }),
  output: z.object({
    /** Searchable documents. */
    documents: z.number().int(),
    /** Those with vectors in the active index. */
    embedded: z.number().int(),
    embedder: z.object({
      state: z.enum(["ready", "missing", "downloading", "off", "unset"]),
      /** Why it isn't ready. */
      fault: faultWire.nullable(),
    }),
  }),
});

/*
 * Choosing another embedder, model or vector database re-embeds every document in the background
 * from its stored text, while the current index keeps answering. Then the new index becomes active,
 * and the previous one is kept until it is deleted, so the change can be undone.
 */

/** What creates the vectors and where they are stored. */
export const indexTarget = z.object({
  /** Embedding engine, such as `native`. */
  engine: z.string(),
  model: z.string(),
  dimensions: z.number().int().nullable(),
  /** Vector database, such as `lancedb`. */
  vectorDatabase: z.string(),
});

export type IndexTarget = z.infer<typeof indexTarget>;

export const indexBuildWire = z.object({
  id: z.uuid(),
  target: indexTarget,
  /**
   * `waiting`: the embedder or the vector store does not respond; Carrel retries automatically.
   * `failed`: an admin has to act; `fault` says why.
   */
  state: z.enum(["running", "waiting", "failed"]),
  fault: reasonWire.nullable(),
  documentsDone: z.number().int(),
  documentsTotal: z.number().int(),
  chunksDone: z.number().int(),
  chunksTotal: z.number().int(),
  /** ISO 8601. */
  startedAt: z.string(),
  /** Estimated from the speed so far; null while unknown. */
  secondsLeft: z.number().int().nullable(),
});

export type IndexBuildWire = z.infer<typeof indexBuildWire>;

export const getIndexState = defineOperation({
  name: "ingest.index.state",
  service: "ingest",
  access: { who: "admin" },
  calls: ["workspace"],
  routes: [
    {
      method: "GET",
      path: "/system/index",
      summary: "Get the active index, the one being built and the previous one",
    },
  ],
  input: z.object({}),
  output: z.object({
    /** Target of the active index; null if nothing was ever embedded. */
    active: indexTarget.nullable(),
    vectors: z.number().int(),
    /**
     * Whether its vectors mean anything in some language of the documents, checked once there are
     * enough; null until then. If not, search is full-text only.
     */
    vectorsWork: z.boolean().nullable(),
    /**
     * Languages of documents that are searched by full text only, because the embedder wasn't
     * trained on them or failed the check; ISO 639-1, or `und` if the language isn't known.
     */
    languagesWithoutVectors: z.array(z.string()),
    /** A built-in model that covers more languages, if these need one. */
    multilingualModel: z.object({ model: z.string(), size: z.string() }).nullable(),
    /** Progress of embedding the documents of all workspaces for the active index. */
    embedding: z.object({
      passagesDone: z.number().int(),
      passagesTotal: z.number().int(),
      /** Documents being embedded now. */
      running: z.number().int(),
      /** Documents waiting for the embedder or the store, and why the last of them waits. */
      waiting: z.number().int(),
      reason: reasonWire.nullable(),
    }),
    /** Target the settings ask for, if it differs and can't be built; the reason is given. */
    wanted: indexTarget.nullable(),
    reason: faultWire.nullable(),
    building: indexBuildWire.nullable(),
    /** `since` is ISO 8601. */
    previous: z.object({ target: indexTarget, since: z.string() }).nullable(),
  }),
});

const refused = { status: 409, kind: "json", body: { success: false, error: "$message" } } as const;

const done = z.object({ success: z.boolean() });

/** Resets the settings to the active index. */
export const stopIndexBuild = defineOperation({
  name: "ingest.index.stop",
  service: "ingest",
  access: { who: "admin" },
  errors: { CONFLICT: refused },
  calls: ["workspace"],
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/system/index/stop",
      summary: "Cancel the index build",
    },
  ],
  input: z.object({}),
  output: done,
});

/**
 * Takes effect immediately: the previous index was kept current for the documents it contains;
 * documents added since are embedded for it again.
 */
export const undoIndexSwitch = defineOperation({
  name: "ingest.index.undo",
  service: "ingest",
  access: { who: "admin" },
  errors: { CONFLICT: refused },
  calls: ["workspace"],
  idempotency: "natural",
  routes: [
    { method: "POST", path: "/system/index/undo", summary: "Switch back to the previous index" },
  ],
  input: z.object({}),
  output: done,
});

/** Deletes the previous index; the change can no longer be undone. */
export const dropPreviousIndex = defineOperation({
  name: "ingest.index.drop-previous",
  service: "ingest",
  access: { who: "admin" },
  errors: { CONFLICT: refused },
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/system/index/drop-previous",
      summary: "Delete the previous index",
    },
  ],
  input: z.object({}),
  output: done,
});

export const buildIndex = defineJob({
  name: "index.build",
  service: "ingest",
  queue: "build",
  payload: z.object({ buildId: z.uuid(), version: z.number().int() }),
  attempts: 5,
  backoffMs: 2_000,
});

/** Settings pages reload when it arrives. Sent at most once a second. */
export const indexChanged = defineEvent({
  name: "index.changed",
  service: "ingest",
  consumers: [],
  payload: z.object({}),
});

export const indexBuildContracts: Contracts = {
  operations: [getIndexState, stopIndexBuild, undoIndexSwitch, dropPreviousIndex, getSearchState],
  jobs: [buildIndex],
  events: [indexChanged],
};
