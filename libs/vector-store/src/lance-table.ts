import type { Index, Table } from "@lancedb/lancedb";
import type { Schema, Table as Batch, Data, Field, Utf8 } from "apache-arrow";
import { arrow } from "./arrow.ts";
import { ChangeFollower } from "./change-follower.ts";
import { ChangeLog, type Deletion, type TableChange } from "./change-log.ts";
import { damaged, failed, isConflict, isMissing, isShortage, unreadable } from "./lance-fault.ts";
import type { LanceHome } from "./lance-home.ts";
import { deletionFilter, type LanceRow, type TableListener } from "./lance-row.ts";
import { TableRepair } from "./table-repair.ts";
import { VectorStoreError, type First } from "./vector-store.ts";
import { WriteQueue } from "./write-queue.ts";

/**
 * How long old table versions are kept: a reader in another process may still be reading their
 * files. Not longer, because every version check lists them all.
 */
const keepVersionsMs = 2 * 60_000;

/**
 * Called by the writer. Registers the table once it is complete: a table left incomplete by a
 * killed process is completed later and doesn't count as lost.
 */
async function createTable(
  home: LanceHome,
  name: string,
  schema: Schema,
  indexes: Record<string, Index>,
): Promise<Table> {
  await home.noteLoss(name);
  const table = await home.connection.createEmptyTable(name, schema, {
    mode: "create",
    existOk: true,
  });
  const present = new Set((await table.listIndices()).flatMap((index) => index.columns));
  for (const [column, config] of Object.entries(indexes))
    if (!present.has(column)) await table.createIndex(column, { config });
  await home.registerTable(name);
  return table;
}

/** Called by the writer. */
async function dropTable(home: LanceHome, name: string): Promise<void> {
  await home.forgetTable(name);
  if ((await home.connection.tableNames()).includes(name)) await home.connection.dropTable(name);
}

/** Another process may have committed first; the same write then succeeds on the new version. */
async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= 5 || !isConflict(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 20));
    }
  }
}

/** Writes the rows and returns how many of them replaced a row with the same id. */
async function replaceRows(table: Table, rows: Batch): Promise<number> {
  const { numUpdatedRows } = await retryConflicts(() =>
    table.mergeInsert("id").whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows),
  );
  return Number(numUpdatedRows);
}

/** Also indexes new rows and removes old versions. */
async function compact(table: Table): Promise<void> {
  await retryConflicts(() =>
    table.optimize({ cleanupOlderThan: new Date(Date.now() - keepVersionsMs) }),
  );
}

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
  private isWriting = false;
  /** Reads in progress, which must end before the table is closed. */
  private readonly reads = new Set<Promise<unknown>>();
  private readonly queue: WriteQueue<LanceRow>;
  private readonly repair: TableRepair;
  private readonly follower: ChangeFollower;

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
    this.follower = new ChangeFollower(new ChangeLog(home.changesOf(name)), listener);
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
    const table = await createTable(this.home, this.name, this.schema, this.indexes());
    await this.recordCleared(await table.version());
    return table;
  }

  private forget(): void {
    this.table = null;
    void this.listener.changed({ kind: "cleared" }, false);
  }

  /** Tells all processes that there are no rows up to this version. */
  private recordCleared(version: number): Promise<void> {
    return this.follower.record({ from: 0, to: version, change: { kind: "cleared" } });
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

  /** `before` runs in the same turn, with no other write of this process in between. */
  delete(
    deletion: Deletion,
    before?: (table: Table, filter: string) => Promise<void>,
  ): Promise<void> {
    const filter = deletionFilter(deletion);
    return this.queue.run(() =>
      this.tracked(async (table) => {
        await before?.(table, filter);
        await retryConflicts(() => table.delete(filter));
        this.markWritten();
        return { kind: "deleted", ...deletion };
      }),
    );
  }

  /**
   * Does the work after passing on what other processes wrote before the call. Doesn't wait for our
   * own writes, nor for many changes. The work itself reads the table with `read`.
   */
  followed<T>(work: (table: Table) => Promise<T> | T): Promise<T> {
    return this.read(async (table) => {
      if (this.isWriting) await this.follower.settle();
      else await this.follower.follow(table);
      return work(table);
    }, false);
  }

  /** Runs exclusively: no other write, of this or another process, runs at the same time. */
  private async tracked(work: (table: Table) => Promise<TableChange>): Promise<void> {
    // Opened first, because creating a table also takes the write lease.
    await this.read(() => Promise.resolve(), false);
    await this.home.writer(async () => {
      this.isWriting = true;
      try {
        await this.read(async (table) => {
          await this.follower.catchUp(table);
          const from = await table.version();
          const change = await work(table);
          await this.follower.record({ from, to: await table.version(), change });
        });
      } finally {
        this.isWriting = false;
      }
    });
  }

  drop(): Promise<void> {
    return this.queue.run(async () => {
      this.table = null;
      this.isDirty = false;
      await this.home.writer(async () => {
        await dropTable(this.home, this.name);
        await this.recordCleared(0);
      });
    });
  }

  optimize(): Promise<void> {
    return this.queue.run(async () => {
      if (!this.isDirty || !this.table) return;
      this.isDirty = false;
      await this.tracked(async (table) => {
        await compact(table);
        await this.listener.optimized?.(table);
        return { kind: "maintained" };
      }).catch((error) => {
        this.markDirty();
        throw error;
      });
    });
  }

  /** Opens it again on the home's new connection. */
  reopen(): Promise<void> {
    return this.queue.run(async () => {
      if (await this.table?.catch(() => null))
        this.table = Promise.resolve(await this.home.connection.openTable(this.name));
    });
  }

  async close(): Promise<void> {
    await this.queue.idle();
    while (this.reads.size > 0) await Promise.allSettled(this.reads);
    await this.follower.idle();
    const table = await this.table?.catch(() => null);
    table?.close();
  }

  private async commit(rows: LanceRow[], firsts: First[]): Promise<void> {
    // If an id occurs twice in one commit the later row wins; Lance would keep both.
    const unique = [...new Map(rows.map((row) => [row.id, row])).values()];
    await this.tracked(async (table) => {
      // Checking for rows to replace costs three times as much as the write. Decided while no other
      // process writes, so that earlier writes of another run are visible and later ones replace
      // these rows.
      const isFirst = (
        await Promise.all(firsts.map((first) => (typeof first === "function" ? first() : first)))
      ).every(Boolean);
      const batch = makeBatch(this.schema, unique);
      let replaced = 0;
      if (isFirst) await retryConflicts(() => table.add(batch));
      else {
        await this.listener.replacing?.(table, unique);
        replaced = await replaceRows(table, batch);
      }
      this.markWritten();
      const { length: rows } = unique;
      return { kind: "added", rows, isReplacing: replaced > 0, read: () => batch };
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
    if (isShortage(cause)) return unreadable(this.name, cause);
    const missing = isMissing(cause);
    if (missing) this.forget();
    return failed(this.name, cause, missing || isConflict(cause));
  }
}

/**
 * The rows as one Arrow batch. The library would build it value by value, which for vectors costs
 * more than the write itself.
 */
export function makeBatch(schema: Schema, rows: readonly LanceRow[]): Batch {
  const children = schema.fields.map((field) => makeColumn(field, rows));
  const type = new arrow.Struct(schema.fields);
  return new arrow.Table(
    new arrow.RecordBatch(
      schema,
      arrow.makeData({ type, length: rows.length, nullCount: 0, children }),
    ),
  );
}

function makeColumn({ name, type }: Field, rows: readonly LanceRow[]): Data {
  const { length } = rows;
  if (type instanceof arrow.Utf8) return makeTexts(rows.map((row) => String(row[name])));
  if (type instanceof arrow.Int32)
    return arrow.makeData({
      type,
      length,
      nullCount: 0,
      data: Int32Array.from(rows, (row) => Number(row[name])),
    });
  if (type instanceof arrow.FixedSizeList) {
    const data = new Float32Array(length * type.listSize);
    for (const [n, row] of rows.entries()) data.set(row[name] as Float32Array, n * type.listSize);
    const child = arrow.makeData({
      type: new arrow.Float32(),
      length: data.length,
      nullCount: 0,
      data,
    });
    return arrow.makeData({ type, length, nullCount: 0, child });
  }
  throw new TypeError(`No column of type ${String(type)} is known.`);
}

function makeTexts(texts: string[]): Data<Utf8> {
  const valueOffsets = new Int32Array(texts.length + 1);
  for (const [n, text] of texts.entries())
    valueOffsets[n + 1] = valueOffsets[n]! + Buffer.byteLength(text);
  const data = Buffer.alloc(valueOffsets[texts.length]!);
  for (const [n, text] of texts.entries()) data.write(text, valueOffsets[n]!);
  return arrow.makeData({
    type: new arrow.Utf8(),
    length: texts.length,
    nullCount: 0,
    valueOffsets,
    data,
  });
}
