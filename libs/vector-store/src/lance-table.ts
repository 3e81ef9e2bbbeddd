import type { Index, Table } from "@lancedb/lancedb";
import type { Schema } from "apache-arrow";
import type { LanceHome } from "./lance-home.ts";
import type { First } from "./vector-index.ts";
import { makeBatch } from "./lance-batch.ts";
import { damaged, failed, isConflict, isMissing, isShortage, unreadable } from "./lance-fault.ts";
import type { LanceRow, TableListener } from "./lance-row.ts";
import { compact, createTable, dropTable, replaceRows, retryConflicts } from "./lance-write.ts";
import { TableRepair } from "./table-repair.ts";
import { VectorStoreError } from "./vector-store.ts";
import { WriteQueue } from "./write-queue.ts";

const watchIntervalMs = 5;
/**
 * A commit costs about the same whatever its size, so small writes within this many ms of the
 * previous commit are batched. Less than the idle time after which the write lease is released.
 */
const batchWindowMs = 40;

/**
 * One LanceDB table, opened or created on first use. Writes are queued, and optimising runs in the
 * same queue because it conflicts with concurrent writes.
 */
export class LanceTable {
  private table: Promise<Table> | null = null;
  private isDirty = false;
  private writtenAt = performance.now();
  /** After our last write or check. If it changes otherwise, another process wrote. */
  private knownVersion = -1;
  private isWriting = false;
  private ownWrites = 0;
  private watching: Promise<void> | null = null;
  private watchedAt = -Infinity;
  /** Running reads, which have to end before the table is closed. */
  private readonly reads = new Set<Promise<unknown>>();
  private readonly queue: WriteQueue<LanceRow>;
  private readonly repair: TableRepair;

  constructor(
    private readonly home: LanceHome,
    readonly name: string,
    private readonly schema: Schema,
    private readonly indexes: () => Record<string, Index>,
    private readonly listener: TableListener,
  ) {
    this.queue = new WriteQueue((rows, firsts) => this.commit(rows, firsts), {
      gatherMs: batchWindowMs,
    });
    this.repair = new TableRepair(home, name, {
      openExisting: () => this.openExisting(),
      make: () => this.make(),
      forget: () => this.forget(),
    });
  }

  get dirty(): boolean {
    return this.isDirty;
  }
  /** When our last write ended (performance.now()). */
  get written(): number {
    return this.writtenAt;
  }

  open(): Promise<Table> {
    this.table ??= this.openOrCreate().catch((error) => {
      this.table = null;
      throw error;
    });
    return this.table;
  }

  private async openOrCreate(): Promise<Table> {
    try {
      let table: Table | undefined;
      if (await this.home.hasTable(this.name)) table = await this.openExisting();
      else
        await this.home.writer(async () => {
          table = await this.make();
        });
      await this.repair.noteOpened();
      return table!;
    } catch (cause) {
      throw unreadable(this.name, cause);
    }
  }

  private async openExisting(): Promise<Table> {
    const table = await this.home.connection.openTable(this.name);
    await table.countRows();
    this.markDirty();
    return table;
  }

  private async make(): Promise<Table> {
    // Another process may have created it while this one waited for the write lease.
    if (await this.home.hasTable(this.name)) return this.openExisting();
    return createTable(this.home, this.name, this.schema, this.indexes());
  }

  private forget(): void {
    this.table = null;
    this.listener.foreign();
  }

  /**
   * Reads from the table. If its files are gone, the next call recreates it; if reads keep failing,
   * it is replaced. `proves` false: success says nothing about the state of the rows.
   */
  read<T>(work: (table: Table) => Promise<T>, proves = true): Promise<T> {
    const reading = this.readOnce(work, proves);
    this.reads.add(reading);
    return reading.finally(() => {
      this.home.caches.noteUse();
      this.reads.delete(reading);
    });
  }

  private async readOnce<T>(work: (table: Table) => Promise<T>, proves: boolean): Promise<T> {
    const table = await this.open().catch(async (fault: unknown) => {
      if (isShortage(fault)) throw fault;
      await this.repair.replace().catch(() => {
        throw fault;
      });
      return this.open();
    });
    try {
      const result = await work(table);
      if (proves) this.repair.noteSuccess();
      return result;
    } catch (cause) {
      // The failure of a table that has been replaced says nothing about its successor.
      const isOpen = (await this.table?.catch(() => null)) === table;
      if (
        isOpen &&
        !(cause instanceof VectorStoreError) &&
        !isConflict(cause) &&
        !isShortage(cause) &&
        this.repair.noteFault()
      ) {
        await this.repair.replace().catch(() => undefined);
        throw damaged(this.name, cause);
      }
      throw this.fault(cause);
    }
  }

  /** `first`: no row with any of these ids was ever written. */
  upsert(rows: LanceRow[], first: First = false): Promise<void> {
    return rows.length ? this.queue.upsert(rows, first) : Promise.resolve();
  }

  /** `before` and `after` run in the same turn, with no other write of this process in between. */
  delete(
    filter: string,
    { before, after }: { before?: (table: Table) => Promise<void> | void; after?: () => void } = {},
  ): Promise<void> {
    return this.exclusive(async (table) => {
      await before?.(table);
      await retryConflicts(() => table.delete(filter));
      this.markWritten();
      after?.();
    });
  }

  /** Runs exclusively: no other write of this process runs at the same moment. */
  exclusive(work: (table: Table) => Promise<void>): Promise<void> {
    return this.queue.run(() => this.tracked(work));
  }

  /** Reads while none of our writes run. Another process's writes are noticed at the next check. */
  alone(work: (table: Table) => Promise<void>): Promise<void> {
    return this.queue.run(() =>
      this.read(async (table) => {
        await this.detectForeignWrites(table);
        await work(table);
      }),
    );
  }

  /**
   * Calls `listener.foreign` if another process has written. Checks at most every few ms, because asking
   * the table costs more than a search in memory.
   */
  async watch(): Promise<void> {
    // Searches call this several times in a row and at the same time, and each check lists the folder.
    if (this.isWriting || performance.now() - this.watchedAt < watchIntervalMs) return;
    await (this.watching ??= this.read((table) => this.detectForeignWrites(table), false).finally(
      () => (this.watching = null),
    ));
  }

  private async detectForeignWrites(table: Table): Promise<void> {
    const { ownWrites } = this;
    const version = await table.version();
    this.watchedAt = performance.now();
    // This version may come from our own write, which does its own check.
    if (!this.isWriting && ownWrites === this.ownWrites) this.noteVersion(version);
  }

  private noteVersion(version: number): void {
    if (version === this.knownVersion) return;
    this.knownVersion = version;
    this.listener.foreign();
  }

  private async tracked(work: (table: Table) => Promise<void>): Promise<void> {
    // Opened first, because creating a table also takes the write lease.
    await this.read(() => Promise.resolve(), false);
    await this.home.writer(async () => {
      this.isWriting = true;
      try {
        await this.read(async (table) => {
          this.noteVersion(await table.version());
          await work(table);
          this.knownVersion = await table.version();
        });
      } finally {
        this.isWriting = false;
        this.ownWrites++;
      }
    });
  }

  drop(): Promise<void> {
    return this.queue.run(async () => {
      this.table = null;
      this.knownVersion = -1;
      this.isDirty = false;
      this.listener.foreign();
      await this.home.writer(() => dropTable(this.home, this.name));
    });
  }

  optimize(): Promise<void> {
    return this.queue.run(async () => {
      if (!this.isDirty || !this.table) return;
      this.isDirty = false;
      await this.tracked(async (table) => {
        await compact(table);
        await this.listener.optimized?.(table);
      }).catch((error) => {
        this.markDirty();
        throw error;
      });
    });
  }

  /** On the home's new connection. */
  reopen(): Promise<void> {
    return this.queue.run(async () => {
      if (await this.table?.catch(() => null))
        this.table = Promise.resolve(await this.home.connection.openTable(this.name));
    });
  }

  async close(): Promise<void> {
    await this.queue.idle();
    while (this.reads.size > 0) await Promise.allSettled(this.reads);
    const table = await this.table?.catch(() => null);
    table?.close();
  }

  private async commit(rows: LanceRow[], firsts: First[]): Promise<void> {
    // If an id occurs twice in one commit the later row wins; Lance would keep both.
    const unique = [...new Map(rows.map((row) => [row.id, row])).values()];
    await this.tracked(async (table) => {
      let replaced = 0;
      // Checking for rows to replace costs three times as much as the write. Decided while no other
      // process writes, so that earlier writes of another run are visible and later ones replace
      // these rows.
      const isFirst = (
        await Promise.all(firsts.map((first) => (typeof first === "function" ? first() : first)))
      ).every(Boolean);
      const batch = makeBatch(this.schema, unique);
      if (isFirst) await retryConflicts(() => table.add(batch));
      else replaced = await replaceRows(table, batch);
      this.markWritten();
      this.listener.commit?.(unique, replaced > 0);
    });
  }

  private markWritten(): void {
    this.writtenAt = performance.now();
    this.markDirty();
  }

  private markDirty(): void {
    this.isDirty = true;
    this.home.onDirty();
  }

  private fault(cause: unknown): VectorStoreError {
    if (cause instanceof VectorStoreError) return cause;
    const missing = isMissing(cause);
    if (missing) this.forget();
    return failed(this.name, cause, missing || isConflict(cause));
  }
}
