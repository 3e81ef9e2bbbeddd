import type { FaultWire, KnownFault } from "@carrel/contracts";

/**
 * A vector index: what creates its vectors and where they are stored. PostgreSQL holds at most one
 * of each role except `dropped`.
 */
export interface SearchIndex {
  id: string;
  /**
   * `active` answers searches; `building` is being filled; `previous` can be restored; `dropped`
   * waits for its storage to be freed.
   */
  role: "active" | "building" | "previous" | "dropped";
  engine: string;
  /** Display name. */
  model: string;
  /** Name of the embedder (`NamedModel.name`); null while the settings name no usable one. */
  embedder: string | null;
  /** Name of its vectors in the store, never reused for another index; null without an embedder. */
  table: string | null;
  /** null until the first vector unless known in advance. */
  dimensions: number | null;
  vectorDatabase: string;
  /** `vectorPlace` of @carrel/vector-store. */
  vectorPlace: string;
  /** Identifies the full-text index; the same for stores that share one. */
  textPlace: string;
  settings: IndexSettings | null;
  /** The store's last known identity; a changed one means that rows were lost. */
  identity: string | null;
  /** Whether `VectorSelfCheck` leaves any language with vectors; null until it ran. */
  vectorsWork: boolean | null;
  /** Results of `VectorSelfCheck` by language: ISO 639-1, or `und`. */
  vectorChecks: Record<string, VectorCheck>;
  state: "running" | "waiting" | "failed";
  /** Why it is waiting or failed; outdated while it is running. */
  fault: FaultWire | null;
  /** Written instead of a fault by replicas of versions before faults had codes. */
  message: string | null;
  version: number;
  /** Chunks written during the build, and the time that took. */
  chunksBuilt: number;
  busyMs: number;
  startedAt: Date;
  /** When it took its current role. */
  since: Date;
}

/** Whether vectors of a language are worth searching. */
export interface VectorCheck {
  works: boolean;
  /** Chunks in that language when it was checked; 0 if the embedder wasn't trained on it. */
  chunks: number;
}

/** The settings an index needs to keep working after others have been chosen; stored sealed. */
export interface IndexSettings {
  /** Embedder and vector database settings as configured. */
  chosen: Record<string, string>;
  /** Vector database settings including those from the environment. */
  store: Record<string, string>;
}

/** The index that settings ask for. */
export type Target = Pick<
  SearchIndex,
  "engine" | "model" | "embedder" | "dimensions" | "vectorDatabase" | "vectorPlace" | "textPlace"
> & {
  settings: IndexSettings;
  /** What is missing in the embedder's settings. */
  fault: KnownFault | null;
};

/** Whether both hold vectors of the same embedder in the same place. */
export const isSame = (index: SearchIndex, target: Target): boolean =>
  index.embedder === target.embedder &&
  index.vectorPlace === target.vectorPlace &&
  index.textPlace === target.textPlace;
