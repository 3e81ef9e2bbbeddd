import type { Table } from "@lancedb/lancedb";
import { tenant } from "./lance-row.ts";

/** Memory for one workspace, and for all. Larger workspaces are searched in files. */
const maxBytes = { workspace: 40 << 20, all: 96 << 20 };
/** How long the table has to be unchanged: reading everything after every write would be wasted. */
const settleMs = 1_500;
/** How long rows are kept without a search. */
const idleMs = 40_000;

interface Snapshot<Rows> {
  version: number;
  rows: Rows;
  usedAt: number;
}

/**
 * The rows of recently searched workspaces in memory, while their table doesn't change. A version of
 * a table never gets other rows, so a snapshot answers exactly what the table would.
 */
export abstract class TableSnapshots<Rows extends { bytes: number }> {
  private readonly snapshots = new Map<number, Snapshot<Rows>>();
  /** Workspaces that can't be loaded at the table's version, because they are too large. */
  private readonly refused = new Set<number>();
  /** The table's version, and since when. */
  private version = -1;
  private since = 0;
  private loading: Promise<void> | null = null;
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
   * The workspace's rows in this version of the table; null if they aren't in memory, in which case
   * they are loaded in the background if the table has settled.
   */
  find(table: Table, workspaceId: number, version: number): Rows | null {
    const now = performance.now();
    if (version !== this.version) {
      this.clear();
      this.version = version;
      this.since = now;
    }
    const known = this.snapshots.get(workspaceId);
    if (known?.version === version) {
      known.usedAt = now;
      return known.rows;
    }
    if (this.isClosed || this.refused.has(workspaceId)) return null;
    if (now - this.since >= this.o.settleMs)
      this.loading ??= this.load(table, workspaceId, version).finally(() => {
        this.loading = null;
      });
    return null;
  }

  clear(): void {
    this.generation++;
    this.version = -1;
    this.snapshots.clear();
    this.refused.clear();
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  /** Drops everything and waits for the load in progress, so that the table can be closed. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.clear();
    await this.loading;
  }

  /** Never rejects: without a snapshot, the table is searched. */
  private async load(table: Table, workspaceId: number, version: number): Promise<void> {
    const generation = this.generation;
    const isCurrent = (): boolean => this.generation === generation;
    const { workspace } = this.o.maxBytes;
    try {
      const filter = tenant(workspaceId);
      const count = await table.countRows(filter);
      if (!isCurrent()) return;
      if (this.estimate(count) > workspace) {
        this.refused.add(workspaceId);
        return;
      }
      const rows = await this.read(table, filter, count, isCurrent);
      // Rows of a later version may be among them.
      if (rows === null || (await table.version()) !== version || !isCurrent()) return;
      if (rows.bytes > workspace) {
        this.refused.add(workspaceId);
        return;
      }
      this.snapshots.set(workspaceId, { version, rows, usedAt: performance.now() });
      this.shrink();
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
