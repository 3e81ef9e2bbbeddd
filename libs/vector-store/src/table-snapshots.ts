import type { Table } from "@lancedb/lancedb";
import { tenant, type LanceRow } from "./lance-row.ts";
import type { RowRegister, SnapshotRows } from "./snapshot-rows.ts";

/** Memory for one workspace, and for all. Larger workspaces are searched in files. */
const maxBytes = { workspace: 40 << 20, all: 96 << 20 };
/** How long to wait before loading rows after another process's write or a very large commit. */
const settleMs = 1_500;
/**
 * Larger commits aren't followed, because that would block for more than 20 ms, and at most this
 * many commits are replayed after a load.
 */
const followed = { rows: 1_000, commits: 50 };
/** How long rows are kept without a search. */
const idleMs = 40_000;

interface Snapshot<Rows> {
  rows: Rows;
  usedAt: number;
}
type Change<Rows> = (rows: Rows) => void;

/**
 * The rows of recently searched workspaces in memory. They follow the writes of this process, so
 * they answer what the table would; a write of another process drops them.
 */
export abstract class TableSnapshots<Rows extends SnapshotRows> {
  private readonly snapshots = new Map<number, Snapshot<Rows>>();
  /** Workspaces that are too large. */
  private readonly refused = new Set<number>();
  /** When either of these last happened. */
  private since = performance.now();
  /** Writes made during a load; their rows may or may not be among those read. */
  private loading: { workspaceId: number; changes: Change<Rows>[]; done: Promise<void> } | null =
    null;
  private isClosed = false;
  /** Changes with `clear`, so that a load in progress is dropped. */
  private generation = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(protected readonly o = { settleMs, maxBytes }) {}

  /** Bytes that so many rows are expected to take. */
  protected abstract estimate(rows: number): number;
  /** Null if the rows aren't as expected, or as soon as `isCurrent` says they are out of date. */
  protected abstract read(
    table: Table,
    filter: string,
    count: number,
    isCurrent: () => boolean,
  ): Promise<Rows | null>;

  /**
   * The workspace's rows; null if they aren't in memory, in which case they are loaded in the
   * background. The caller has checked that no other process wrote (`LanceTable.watch`).
   */
  find(table: Table, workspaceId: number): Rows | null {
    const known = this.snapshots.get(workspaceId);
    if (known) {
      known.usedAt = performance.now();
      return known.rows;
    }
    if (this.isClosed || this.loading || this.refused.has(workspaceId)) return null;
    if (performance.now() - this.since >= this.o.settleMs) {
      const changes: Change<Rows>[] = [];
      const done = this.load(table, workspaceId, changes).finally(() => (this.loading = null));
      this.loading = { workspaceId, changes, done };
    }
    return null;
  }

  /** To be called in the order of the writes, like `removed`. `replaced`: ids may have existed. */
  added(rows: readonly LanceRow[], replaced: boolean): void {
    const ids = new Set(rows.map(({ id }) => id));
    const byWorkspace = Map.groupBy(rows, ({ workspace_id }) => workspace_id);
    for (const workspaceId of this.following) {
      const own = byWorkspace.get(workspaceId) ?? [];
      if (own.length > followed.rows) {
        this.forget(workspaceId);
        this.since = performance.now();
        // A replaced row may have been in another workspace.
      } else if (own.length > 0 || replaced)
        this.change(workspaceId, (kept, isReplay) => {
          if (replaced || isReplay) kept.register.remove((id) => ids.has(id));
          for (const row of own) kept.add(row);
        });
    }
  }

  removed(workspaceId: number, isGone: Parameters<RowRegister["remove"]>[0]): void {
    this.refused.delete(workspaceId);
    this.change(workspaceId, ({ register }) => register.remove(isGone));
  }

  /** Reads this workspace again before it is searched in memory. */
  forget(workspaceId: number): void {
    this.snapshots.delete(workspaceId);
    this.refused.delete(workspaceId);
    if (this.loading?.workspaceId === workspaceId) this.generation++;
  }

  clear(): void {
    this.generation++;
    this.since = performance.now();
    this.snapshots.clear();
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

  private get following(): Set<number> {
    return new Set([...this.snapshots.keys(), ...(this.loading ? [this.loading.workspaceId] : [])]);
  }

  private change(workspaceId: number, work: (rows: Rows, isReplay: boolean) => void): void {
    if (this.loading?.workspaceId === workspaceId) {
      const { changes } = this.loading;
      if (changes.push((rows) => work(rows, true)) > followed.commits) this.generation++;
    }
    const known = this.snapshots.get(workspaceId);
    if (!known) return;
    try {
      work(known.rows, false);
      this.keep(workspaceId, known);
    } catch {
      // Out of memory, for example. The write itself succeeded, so search the table instead.
      this.forget(workspaceId);
    }
  }

  private keep(workspaceId: number, snapshot: Snapshot<Rows>): void {
    const { bytes, register } = snapshot.rows;
    const isTooLarge = bytes > this.o.maxBytes.workspace;
    this.snapshots.delete(workspaceId);
    if (isTooLarge && register.count === register.size) this.refused.add(workspaceId);
    // Reloading drops the rows that are gone: it may then fit, and is worth it once most are gone.
    else if (!isTooLarge && register.count * 2 >= register.size) {
      this.snapshots.set(workspaceId, snapshot);
      this.shrink();
    }
  }

  /** Never rejects: without a snapshot, the table is searched. */
  private async load(
    table: Table,
    workspaceId: number,
    changes: readonly Change<Rows>[],
  ): Promise<void> {
    const generation = this.generation;
    const isCurrent = (): boolean => this.generation === generation;
    try {
      const filter = tenant(workspaceId);
      const count = await table.countRows(filter);
      if (!isCurrent()) return;
      if (this.estimate(count) > this.o.maxBytes.workspace) {
        if (changes.length === 0) this.refused.add(workspaceId);
        return;
      }
      const rows = await this.read(table, filter, count, isCurrent);
      if (rows === null || !isCurrent()) return;
      for (const change of changes) change(rows);
      this.keep(workspaceId, { rows, usedAt: performance.now() });
      this.timer ??= setInterval(() => this.dropIdle(), idleMs / 8).unref();
    } catch {
      // The next search reports a table that can't be read.
    }
  }

  private shrink(): void {
    const byUse = [...this.snapshots].sort(([, a], [, b]) => b.usedAt - a.usedAt);
    let bytes = 0;
    for (const [workspaceId, { rows }] of byUse) {
      bytes += rows.bytes;
      if (bytes > this.o.maxBytes.all) this.snapshots.delete(workspaceId);
    }
  }

  private dropIdle(): void {
    const before = performance.now() - idleMs;
    for (const [workspaceId, { usedAt }] of this.snapshots)
      if (usedAt < before) this.snapshots.delete(workspaceId);
    if (this.snapshots.size > 0 || !this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}
