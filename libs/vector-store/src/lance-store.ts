import { mkdir } from "node:fs/promises";
import { LanceCaches } from "./lance-caches.ts";
import { LanceHome, type Writer } from "./lance-home.ts";
import type { LanceTable } from "./lance-table.ts";
import { LanceTextIndex } from "./lance-text-index.ts";
import { LanceVectorIndex } from "./lance-vector-index.ts";
import { SnapshotMemory } from "./snapshot-memory.ts";
import {
  VectorStoreError,
  type TextIndex,
  type VectorIndex,
  type VectorModel,
  type VectorStore,
} from "./vector-store.ts";

/**
 * Pause between optimise runs, as a multiple of the last run's duration: `amidWrites` while writes
 * continue, because they wait for a run; `afterWrites` once there have been none for
 * `withoutWrites` times that duration.
 */
const rest = { amidWrites: 8, afterWrites: 2, withoutWrites: 4 };
/** Checks per interval for whether writes have paused. */
const looksInTime = 5;

export interface LanceOptions {
  folder: string;
  /**
   * Delay before new rows are compacted and indexed (default 1,000 ms): longer where optimising is
   * slow, shorter once writes pause.
   */
  optimizeEveryMs?: number;
  /** Runs work while no other process writes to the folder. Omit it if this is the only process. */
  writer?: Writer;
  /**
   * Maximum chunks counted for a workspace's statistics (default 20,000); larger workspaces are
   * sampled.
   */
  countedRows?: number;
  /**
   * Memory, in bytes, for the terms and vectors that searches read, for all workspaces (default:
   * see `defaultMemoryBytes`). Anything that doesn't fit is searched in files.
   */
  memoryBytes?: number;
}

/**
 * LanceDB in a local folder, created if missing. Readers in other processes see each commit
 * immediately.
 */
export async function openLanceStore({
  folder,
  optimizeEveryMs = 1_000,
  writer = (work) => work(),
  countedRows,
  memoryBytes,
}: LanceOptions): Promise<LanceStore> {
  try {
    await mkdir(folder, { recursive: true });
    const caches = await LanceCaches.open(folder);
    const home = new LanceHome(caches, folder, writer, new SnapshotMemory(memoryBytes));
    return new LanceStore(home, optimizeEveryMs, countedRows);
  } catch (cause) {
    const { code } = cause as { code?: unknown };
    throw new VectorStoreError(
      {
        code: "vector-store.folder-unusable",
        params: { cause: typeof code === "string" ? ` (${code})` : "" },
      },
      { isRetryable: false, cause },
    );
  }
}

export class LanceStore implements VectorStore {
  private readonly textIndex: LanceTextIndex;
  private readonly vectorIndexes = new Map<string, LanceVectorIndex>();
  private timer: NodeJS.Timeout | null = null;
  private closed = false;
  private optimizing: Promise<void> | null = null;
  /** When the last optimise run ended, and its duration in ms. */
  private ended = performance.now();
  private tookMs = 0;

  constructor(
    readonly home: LanceHome,
    private readonly everyMs: number,
    countedRows?: number,
  ) {
    this.textIndex = new LanceTextIndex(home, countedRows);
    home.onDirty = () => this.schedule();
    home.caches.onRenewed = async () => {
      await Promise.all(this.tables.map((table) => table.reopen()));
    };
  }

  get text(): TextIndex {
    return this.textIndex;
  }

  /** In this process, so always reachable. */
  readonly fault = null;

  vectors(model: VectorModel): VectorIndex {
    const key = JSON.stringify([model.model, model.dimensions]);
    let index = this.vectorIndexes.get(key);
    if (!index) this.vectorIndexes.set(key, (index = new LanceVectorIndex(this.home, model)));
    return index;
  }

  /** Reading the register shows whether the folder can be read and written. */
  async check(): Promise<void> {
    await this.identity();
  }

  async identity(): Promise<string> {
    // Opening a table reveals that it is damaged or missing, which gives the index a new name.
    await this.textIndex.ensure();
    return this.home.identity();
  }

  async optimize(): Promise<void> {
    for (const table of this.dirtyTables) await table.optimize();
    await this.home.caches.noteVersion();
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    await this.optimizing;
    await Promise.all([
      this.textIndex.close(),
      ...[...this.vectorIndexes.values()].map((index) => index.close()),
    ]);
    await this.home.caches.close();
  }

  private get tables(): LanceTable[] {
    return [this.textIndex, ...this.vectorIndexes.values()].map(({ table }) => table);
  }

  private get dirtyTables(): LanceTable[] {
    return this.tables.filter((table) => table.dirty);
  }

  /**
   * Unindexed rows make each search many times slower, so they are indexed as soon as writes pause.
   */
  private get isDue(): boolean {
    const now = performance.now(),
      rested = now - this.ended;
    const quiet = now - Math.max(...this.dirtyTables.map((table) => table.written));
    return (
      rested >= Math.max(this.everyMs, rest.amidWrites * this.tookMs) ||
      (quiet >= Math.max((2 * this.everyMs) / looksInTime, rest.withoutWrites * this.tookMs) &&
        rested >= rest.afterWrites * this.tookMs)
    );
  }

  /** Runs while there are tables to optimise. */
  private schedule(): void {
    if (this.closed || this.timer || this.optimizing) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      if (!this.isDue) return this.schedule();
      const started = performance.now();
      // A table that fails to optimise stays dirty and is retried. Until then searches are correct,
      // only slower.
      this.optimizing = this.optimize()
        .catch(() => undefined)
        .then(() => {
          this.ended = performance.now();
          this.tookMs = this.ended - started;
          this.optimizing = null;
          if (this.dirtyTables.length > 0) this.schedule();
        });
    }, this.everyMs / looksInTime);
    this.timer.unref();
  }
}
