import type { Table } from "@lancedb/lancedb";
import { tenant } from "./lance-row.ts";
import { VectorMatrix } from "./vector-matrix.ts";

/** Memory for the vectors of one workspace, and of all. Larger workspaces are searched in files. */
const maxBytes = { workspace: 40 << 20, all: 96 << 20 };
/** How long the table has to be unchanged: reading everything after every write would be wasted. */
const settleMs = 1_500;
/** How long vectors are kept without a search. */
const idleMs = 40_000;
/** Rows converted before yielding to the event loop: about 1 ms. */
const rowsInTurn = 500;

interface Snapshot {
  version: number;
  matrix: VectorMatrix;
  usedAt: number;
}

/**
 * The vectors of recently searched workspaces in memory, while their table doesn't change. A version
 * of a table never gets other rows, so a snapshot answers exactly what the table would.
 */
export class VectorSnapshots {
  readonly #snapshots = new Map<number, Snapshot>();
  /** Workspaces that can't be loaded at the table's version, because they are too large. */
  readonly #refused = new Set<number>();
  /** The table's version, and since when. */
  #version = -1;
  #since = 0;
  #loading: Promise<void> | null = null;
  #isClosed = false;
  /** Changes with `clear`, so that a load in progress is dropped. */
  #generation = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly dimensions: number,
    private readonly o = { settleMs, maxBytes },
  ) {}

  /**
   * The workspace's vectors as of now; null if they aren't in memory, in which case they are loaded
   * in the background if the table has settled.
   */
  async find(table: Table, workspaceId: number): Promise<VectorMatrix | null> {
    const version = await table.version();
    const now = performance.now();
    if (version !== this.#version) {
      this.clear();
      this.#version = version;
      this.#since = now;
    }
    const known = this.#snapshots.get(workspaceId);
    if (known?.version === version) {
      known.usedAt = now;
      return known.matrix;
    }
    if (this.#isClosed || this.#refused.has(workspaceId)) return null;
    if (now - this.#since >= this.o.settleMs)
      this.#loading ??= this.#load(table, workspaceId, version).finally(() => {
        this.#loading = null;
      });
    return null;
  }

  clear(): void {
    this.#generation++;
    this.#version = -1;
    this.#snapshots.clear();
    this.#refused.clear();
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Drops everything and waits for the load in progress, so that the table can be closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.clear();
    await this.#loading;
  }

  /** Never rejects: without a snapshot, the table is searched. */
  async #load(table: Table, workspaceId: number, version: number): Promise<void> {
    const generation = this.#generation;
    try {
      const filter = tenant(workspaceId);
      const rows = await table.countRows(filter);
      if (this.#generation !== generation) return;
      if (VectorMatrix.bytes(rows, this.dimensions) > this.o.maxBytes.workspace) {
        this.#refused.add(workspaceId);
        return;
      }
      const matrix = new VectorMatrix(rows, this.dimensions);
      const query = table.query().where(filter).select(["id", "document_id", "vector"]);
      for await (const batch of query) {
        const ids = batch.getChild("id"),
          documents = batch.getChild("document_id");
        const vectors = batch.getChild("vector")?.getChildAt(0)?.toArray() as
          Float32Array | undefined;
        if (vectors?.length !== batch.numRows * this.dimensions) return;
        for (let row = 0; row < batch.numRows; row++) {
          if (this.#generation !== generation) return;
          if (row % rowsInTurn === 0) await new Promise<void>((resolve) => setImmediate(resolve));
          const isAdded = matrix.add(
            String(ids?.get(row)),
            String(documents?.get(row)),
            vectors,
            row * this.dimensions,
          );
          if (!isAdded) return;
        }
      }
      // Rows of a later version may be among them.
      if (matrix.size !== rows || (await table.version()) !== version) return;
      if (this.#generation !== generation) return;
      this.#snapshots.set(workspaceId, { version, matrix, usedAt: performance.now() });
      this.#shrink();
      this.#timer ??= setInterval(() => this.#dropIdle(), idleMs / 8).unref();
    } catch {
      // The next search reports a table that can't be read.
    }
  }

  #shrink(): void {
    const byUse = [...this.#snapshots].sort(([, a], [, b]) => b.usedAt - a.usedAt);
    let bytes = 0;
    for (const [workspaceId, { matrix }] of byUse) {
      bytes += VectorMatrix.bytes(matrix.capacity, this.dimensions);
      if (bytes > this.o.maxBytes.all) this.#snapshots.delete(workspaceId);
    }
  }

  #dropIdle(): void {
    const before = performance.now() - idleMs;
    for (const [workspaceId, { usedAt }] of this.#snapshots)
      if (usedAt < before) this.#snapshots.delete(workspaceId);
    if (this.#snapshots.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
