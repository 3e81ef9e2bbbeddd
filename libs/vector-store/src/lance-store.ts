import { mkdir } from "node:fs/promises";
import { connect, Session } from "@lancedb/lancedb";
import { LanceTextIndex } from "./lance-text-index.ts";
import { LanceVectorIndex } from "./lance-vector-index.ts";
import { LanceHome } from "./lance-home.ts";
import type { TextIndex } from "./text-index.ts";
import type { VectorIndex, VectorModel } from "./vector-index.ts";
import { VectorStoreError, type VectorStore } from "./vector-store.ts";

/**
 * Most memory for indexes and for what the files say of themselves, in bytes; the library's own
 * limits are 6 and 1 GB.
 */
const cacheBytes = { index: 512n << 20n, metadata: 64n << 20n };

/**
 * Optimising rests this many times as long as it took: while more is being written, and once
 * nothing is.
 */
const rest = { amidWrites: 8, afterWrites: 2 };
/** How often in the time between two runs it is looked whether writes have paused. */
const looksInTime = 5;

export interface LanceOptions {
  folder: string;
  /**
   * What was added is compacted and indexed this long after (default 1,000 ms), later where
   * optimising takes long, sooner where nothing more is written.
   */
  optimizeEveryMs?: number;
  /** Runs work while no other process writes to the folder; absent: this is the only process. */
  writer?: Writer;
  /**
   * Chunks of a workspace that are counted for its statistics; of a larger one a sample of so many
   * (default 20,000).
   */
  countedRows?: number;
}
export type Writer = (work: () => Promise<void>) => Promise<void>;

/**
 * LanceDB in a local folder, made if it is missing; readers in other processes see each commit at
 * once.
 */
export async function openLanceStore({
  folder,
  optimizeEveryMs = 1_000,
  writer = (work) => work(),
  countedRows,
}: LanceOptions): Promise<LanceStore> {
  try {
    await mkdir(folder, { recursive: true });
    const caches = new Session(cacheBytes.index, cacheBytes.metadata);
    // Only as an option: as a third argument, which the types allow, the library passes it over
    // without a word.
    const connection = await connect(folder, { readConsistencyInterval: 0, session: caches });
    await connection.tableNames();
    return new LanceStore(
      new LanceHome(connection, folder, writer),
      caches,
      optimizeEveryMs,
      countedRows,
    );
  } catch (cause) {
    throw new VectorStoreError(
      `The folder of the search index cannot be used: ${folder} (${cause instanceof Error ? cause.message : String(cause)})`,
      { isRetryable: false, cause },
    );
  }
}

export class LanceStore implements VectorStore {
  readonly #text: LanceTextIndex;
  readonly #vectors = new Map<string, LanceVectorIndex>();
  #timer: NodeJS.Timeout | null = null;
  #closed = false;
  #optimizing: Promise<void> = Promise.resolve();
  /** When optimising ended last, and how long it took, ms. */
  #ended = performance.now();
  #tookMs = 0;

  constructor(
    readonly home: LanceHome,
    /** What the library keeps in memory, of limited size. */ readonly caches: Session,
    private readonly everyMs: number,
    countedRows?: number,
  ) {
    this.#text = new LanceTextIndex(home, countedRows);
    this.#schedule();
  }

  get text(): TextIndex {
    return this.#text;
  }

  vectors(model: VectorModel): VectorIndex {
    const key = JSON.stringify([model.model, model.dimensions]);
    let index = this.#vectors.get(key);
    if (!index) this.#vectors.set(key, (index = new LanceVectorIndex(this.home, model)));
    return index;
  }

  /** Whether its folder can be read and written shows in the register. */
  async check(): Promise<void> {
    await this.identity();
  }

  async identity(): Promise<string> {
    // Opened, a table that is damaged or gone shows, and gives the index another name.
    await this.#text.ensure();
    return this.home.identity();
  }

  async optimize(): Promise<void> {
    for (const { table } of [this.#text, ...this.#vectors.values()])
      if (table.dirty) await table.optimize();
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#optimizing;
    await Promise.all([this.#text, ...this.#vectors.values()].map(({ table }) => table.close()));
    this.home.connection.close();
  }

  /**
   * Rows that are not indexed yet make each search many times slower: once writes pause, they are
   * indexed at once.
   */
  get #isDue(): boolean {
    const tables = [this.#text, ...this.#vectors.values()]
      .map(({ table }) => table)
      .filter((table) => table.dirty);
    if (tables.length === 0) return false;
    const now = performance.now(),
      rested = now - this.#ended;
    const quiet = now - Math.max(...tables.map((table) => table.written));
    return (
      rested >= Math.max(this.everyMs, rest.amidWrites * this.#tookMs) ||
      (quiet >= (2 * this.everyMs) / looksInTime && rested >= rest.afterWrites * this.#tookMs)
    );
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      if (!this.#isDue) return this.#schedule();
      const started = performance.now();
      // A table that cannot be optimised stays dirty and is tried again; searches are right
      // meanwhile, only slower.
      this.#optimizing = this.optimize()
        .catch(() => undefined)
        .then(() => {
          this.#ended = performance.now();
          this.#tookMs = this.#ended - started;
          this.#schedule();
        });
    }, this.everyMs / looksInTime);
    this.#timer.unref();
  }
}
