import { setTimeout } from "node:timers/promises";
import type { Table } from "@lancedb/lancedb";
import type { RecordBatch } from "apache-arrow";
import { integerColumn, textColumn, type TableChange } from "./change-log.ts";
import { tenant } from "./lance-row.ts";
import type { MemoryUser, SnapshotMemory, SnapshotRows } from "./snapshot-memory.ts";
import { Pause } from "./store-breaker.ts";

/** How long rows are kept without a search, in ms; longer if loading them takes long. */
const idleMs = 40_000,
  idlePerLoad = 200;
/**
 * A large load would slow the search that triggers it, which reads the table, so it starts later.
 */
const delay = { rowsPerMs: 200, maxMs: 1_000 };
/** How long a workspace that can't be loaded or doesn't fit is searched in files, in ms. */
const refusedMs = 60_000;
/** Maximum rows written during a load that are kept for it; with more, it starts again later. */
const maxMissedRows = 20_000;

class Snapshot<Rows extends SnapshotRows> implements MemoryUser {
  usedAt = performance.now();
  /** Rows may be missing, or most of those kept are gone, so it must be loaded again. */
  isOutdated = false;

  constructor(
    readonly rows: Rows,
    readonly keptMs: number,
    readonly drop: () => void,
  ) {}

  get bytes(): number {
    return this.rows.bytes;
  }
}

interface Load {
  workspaceId: number;
  /** Changes since it began; what it reads may or may not include them. */
  changes: TableChange[];
  missedRows: number;
  /** Changes were missed, so it must be repeated. */
  isOutdated: boolean;
  isCancelled: boolean;
  done: Promise<void>;
}

/**
 * The rows of recently searched workspaces in memory. They follow the table's changes, so that they
 * answer what the table would. When they have to be loaded again, the previous ones answer until
 * the new ones are there.
 */
export abstract class TableSnapshots<Rows extends SnapshotRows> {
  private readonly snapshots = new Map<number, Snapshot<Rows>>();
  /** Until when each of these workspaces is searched in files. */
  private readonly refused = new Map<number, number>();
  private loading: Load | null = null;
  private isClosed = false;
  private timer: NodeJS.Timeout | null = null;

  /** `onLoaded`: called with the size in bytes of a workspace that is now searched in memory. */
  constructor(
    private readonly memory: SnapshotMemory,
    private readonly onLoaded: (bytes: number) => void = () => undefined,
  ) {}

  /** Expected size in bytes of this many rows. */
  protected abstract estimate(rows: number): number;
  protected abstract readonly columns: string[];
  protected abstract make(expectedRows: number): Rows;
  /** Called once all rows have been read. */
  protected prepare(_rows: Rows): Promise<void> {
    return Promise.resolve();
  }

  /**
   * The workspace's rows; null if they aren't in memory. Loads them in the background if needed.
   */
  find(table: Table, workspaceId: number): Rows | null {
    const now = performance.now();
    const known = this.snapshots.get(workspaceId);
    if (known) known.usedAt = now;
    if (
      (!known || known.isOutdated) &&
      !this.loading &&
      !this.isClosed &&
      now >= (this.refused.get(workspaceId) ?? 0)
    ) {
      const load: Load = {
        workspaceId,
        changes: [],
        missedRows: 0,
        isOutdated: false,
        isCancelled: false,
        done: Promise.resolve(),
      };
      this.loading = load;
      load.done = this.load(table, load).finally(() => (this.loading = null));
    }
    return known?.rows ?? null;
  }

  /** Call this in the order of the changes. Never rejects. */
  async changed(change: TableChange): Promise<void> {
    if (change.kind === "maintained") return;
    if (change.kind === "cleared") return this.clear();
    const { loading } = this;
    if (loading) {
      loading.changes.push(change);
      if (change.kind === "added" && (loading.missedRows += change.rows) > maxMissedRows)
        this.cancel();
    }
    if (change.kind === "deleted") this.refused.delete(change.workspaceId);
    for (const [workspaceId, snapshot] of this.snapshots) {
      try {
        await apply(snapshot.rows, workspaceId, change);
        const { count, size } = snapshot.rows.register;
        if (count * 2 < size) snapshot.isOutdated = true;
      } catch {
        // Out of memory, for example. The write itself succeeded, so search the table instead.
        this.forget(workspaceId);
      }
    }
    this.memory.shrink();
  }

  /** Some changes were missed. */
  lost(): void {
    for (const snapshot of this.snapshots.values()) snapshot.isOutdated = true;
    if (this.loading) this.loading.isOutdated = true;
  }

  clear(): void {
    this.cancel();
    for (const workspaceId of this.snapshots.keys()) this.forget(workspaceId);
    this.refused.clear();
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  /** Drops everything and waits for the load in progress, so that the table can be closed. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.clear();
    await this.loading?.done;
  }

  private cancel(): void {
    if (!this.loading) return;
    this.loading.isCancelled = true;
    this.loading.changes = [];
  }

  private forget(workspaceId: number): void {
    const known = this.snapshots.get(workspaceId);
    this.snapshots.delete(workspaceId);
    if (known) this.memory.release(known);
  }

  /** Never rejects: without a snapshot, the table is searched. */
  private async load(table: Table, load: Load): Promise<void> {
    const { workspaceId } = load;
    const reserved = { bytes: 0, usedAt: Infinity, drop: () => undefined };
    try {
      const filter = tenant(workspaceId);
      const count = await table.countRows(filter);
      await setTimeout(Math.min(delay.maxMs, count / delay.rowsPerMs), undefined, { ref: false });
      if (load.isCancelled) return;
      const started = performance.now();
      reserved.bytes = this.estimate(count);
      // The rows being replaced are dropped soon, and searches use them until then.
      const isReload = this.snapshots.has(workspaceId);
      if (!isReload && !this.memory.admit(reserved)) return this.refuse(workspaceId);
      const rows = await this.read(table, filter, count, load);
      for (let change = load.changes.shift(); change; change = load.changes.shift())
        await apply(rows, workspaceId, change);
      if (load.isCancelled) return;
      const keptMs = Math.max(idleMs, idlePerLoad * (performance.now() - started));
      const snapshot = new Snapshot(rows, keptMs, () => this.snapshots.delete(workspaceId));
      snapshot.isOutdated = load.isOutdated;
      this.memory.release(reserved);
      if (isReload) this.memory.add(snapshot);
      else if (!this.memory.admit(snapshot)) return this.refuse(workspaceId);
      this.forget(workspaceId);
      this.snapshots.set(workspaceId, snapshot);
      this.onLoaded(snapshot.bytes);
      this.timer ??= setInterval(() => this.dropIdle(), idleMs / 8).unref();
    } catch {
      // The next search reports a table that can't be read.
      this.refuse(workspaceId);
    } finally {
      this.memory.release(reserved);
    }
  }

  private refuse(workspaceId: number): void {
    this.refused.set(workspaceId, performance.now() + refusedMs);
  }

  private async read(table: Table, filter: string, count: number, load: Load): Promise<Rows> {
    const rows = this.make(count);
    const pause = new Pause();
    const columns = ["id", "document_id", "version", ...this.columns];
    for await (const batch of table.query().where(filter).select(columns)) {
      const add = rows.adder(batch);
      for (let row = 0; row < batch.numRows; row++) {
        if (pause.isDue) await pause.rest();
        if (load.isCancelled) return rows;
        add(row);
      }
    }
    await this.prepare(rows);
    return rows;
  }

  private dropIdle(): void {
    const now = performance.now();
    for (const [workspaceId, { usedAt, keptMs }] of this.snapshots)
      if (usedAt + keptMs < now) this.forget(workspaceId);
    if (this.snapshots.size > 0 || !this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}

/** Searches may run in between, but see each row either before or after the change. */
async function apply(rows: SnapshotRows, workspaceId: number, change: TableChange): Promise<void> {
  const pause = new Pause();
  if (change.kind === "deleted" && change.workspaceId === workspaceId) {
    for (const row of rows.register.matching(change)) {
      if (pause.isDue) await pause.rest();
      rows.remove(row);
    }
  } else if (change.kind === "added")
    for (const batch of change.read().batches)
      await applyBatch(rows, workspaceId, batch, change.isReplacing, pause);
}

async function applyBatch(
  rows: SnapshotRows,
  workspaceId: number,
  batch: RecordBatch,
  isReplacing: boolean,
  pause: Pause,
): Promise<void> {
  const workspaces = integerColumn(batch, "workspace_id"),
    id = textColumn(batch, "id"),
    add = rows.adder(batch);
  for (let row = 0; row < batch.numRows; row++) {
    if (pause.isDue) await pause.rest();
    if (workspaces[row] === workspaceId) add(row);
    else if (isReplacing) {
      // The replaced row may have been in this workspace.
      const replaced = rows.register.find(id(row));
      if (replaced >= 0) rows.remove(replaced);
    }
  }
}
