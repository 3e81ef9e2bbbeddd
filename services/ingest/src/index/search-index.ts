/**
 * An index of vectors with what makes them and where they are. PostgreSQL holds at most one of each
 * role but `dropped`.
 */
export interface SearchIndex {
  id: string;
  /**
   * `active` answers; `building` is being filled; `previous` can be gone back to; `dropped` waits
   * for its place to be freed.
   */
  role: "active" | "building" | "previous" | "dropped";
  engine: string;
  /** For people. */
  model: string;
  /**
   * Name of the embedder (`NamedModel.name`); null while the settings name none that could embed.
   */
  embedder: string | null;
  /** Name of its vectors in the store, never used for another index; null without embedder. */
  table: string | null;
  /** Known from the first vector on. */
  dimensions: number | null;
  vectorDatabase: string;
  /** `vectorPlace` of @carrel/vector-store. */
  vectorPlace: string;
  /** Where chunks are found by their words: the same for stores that share one text index. */
  textPlace: string;
  settings: IndexSettings | null;
  /** What the store called itself last; another name means that rows were lost. */
  identity: string | null;
  state: "running" | "waiting" | "failed";
  message: string | null;
  version: number;
  /** Chunks written for it while it was built, and how long that took. */
  chunksBuilt: number;
  busyMs: number;
  startedAt: Date;
  /** Since when it has its role. */
  since: Date;
}

/**
 * The settings that an index needs to go on answering when others have been chosen; sealed where
 * stored.
 */
export interface IndexSettings {
  /** Keys of embedders and vector databases as they were set. */
  chosen: Record<string, string>;
  /** Keys of vector databases with what the environment gives. */
  store: Record<string, string>;
}

/** What settings ask for. */
export type Target = Pick<
  SearchIndex,
  "engine" | "model" | "embedder" | "dimensions" | "vectorDatabase" | "vectorPlace" | "textPlace"
> & { settings: IndexSettings; /** What the embedder's settings miss. */ fault: string | null };

/** Vectors of the same embedder in the same place. */
export const isSame = (index: SearchIndex, target: Target): boolean =>
  index.embedder === target.embedder &&
  index.vectorPlace === target.vectorPlace &&
  index.textPlace === target.textPlace;
