import type { Index, Table } from "@lancedb/lancedb";
import type { Schema } from "apache-arrow";
import type { LanceHome } from "./lance-home.ts";
import type { First } from "./vector-index.ts";
import { VectorStoreError } from "./vector-store.ts";
import { WriteQueue } from "./write-queue.ts";

export interface LanceRow {
  id: string;
  workspace_id: number;
  document_id: string;
  version: number;
  [column: string]: unknown;
}
export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
export const tenant = (workspaceId: number): string => {
  if (!Number.isSafeInteger(workspaceId))
    throw new VectorStoreError(`Not a workspace id: ${workspaceId}`, { isRetryable: false });
  return `workspace_id = ${workspaceId}`;
};

/**
 * How long old table versions are kept: a reader in another process may still be reading their
 * files. Not longer, because every version check lists them all.
 */
const keepVersionsMs = 2 * 60_000;

const lookEveryMs = 5;
/**
 * A commit costs about the same whatever its size, so small writes within this many ms of the
 * previous commit are batched. Must be shorter than the idle time after which the write lease is
 * released.
 */
const gatherMs = 40;
/** Consecutive failures after which a table counts as damaged. */
const tolerated = 3;

/**
 * One LanceDB table, opened or created on first use. Writes are queued, and optimising runs in the
 * same queue because it conflicts with concurrent writes.
 */
export class LanceTable {
  #table: Promise<Table> | null = null;
  #dirty = false;
  #written = performance.now();
  /**
   * Version after our last write or check. If it changes without a write of ours, another process
   * wrote.
   */
  #version = -1;
  #busy = 0;
  #looked = -Infinity;
  /** Consecutive failures without another explanation. */
  #faults = 0;
  readonly #queue: WriteQueue<LanceRow>;

  constructor(
    private readonly home: LanceHome,
    readonly name: string,
    private readonly schema: Schema,
    private readonly indexes: () => Record<string, Index>,
    private readonly follow: {
      /** Called after our rows were written. `replaced`: some of the ids already existed. */
      commit?(rows: LanceRow[], replaced: boolean): void;
      /** Another process wrote or the table is gone: everything cached in memory is stale. */
      foreign(): void;
      /** Called after compaction, still with exclusive access. */
      optimized?(table: Table): Promise<void>;
    },
  ) {
    this.#queue = new WriteQueue((rows, firsts) => this.#commit(rows, firsts), { gatherMs });
  }

  get dirty(): boolean {
    return this.#dirty;
  }
  /** When our last write ended (performance.now()). */
  get written(): number {
    return this.#written;
  }

  open(): Promise<Table> {
    this.#table ??= this.#open().catch((error) => {
      this.#table = null;
      throw error;
    });
    return this.#table;
  }

  async #open(): Promise<Table> {
    try {
      if ((await this.home.connection.tableNames()).includes(this.name))
        return await this.#openExisting();
      let made: Table | undefined;
      await this.home.writer(async () => {
        made = await this.#make();
      });
      return made!;
    } catch (cause) {
      throw this.#unusable(cause);
    }
  }

  async #openExisting(): Promise<Table> {
    const table = await this.home.connection.openTable(this.name);
    await table.countRows();
    this.#dirty = true;
    return table;
  }

  async #make(): Promise<Table> {
    // Another process may have created it while this one waited for the write lease.
    if ((await this.home.connection.tableNames()).includes(this.name)) return this.#openExisting();
    await this.home.registerTable(this.name);
    const table = await this.home.connection.createEmptyTable(this.name, this.schema, {
      mode: "create",
      existOk: true,
    });
    const present = new Set((await table.listIndices()).flatMap((index) => index.columns));
    for (const [column, config] of Object.entries(this.indexes()))
      if (!present.has(column)) await table.createIndex(column, { config });
    return table;
  }

  /**
   * Moves aside a table that cannot be opened. A retry then finds an empty table, and the
   * register's new name means everything has to be re-indexed.
   */
  async #replaceDamaged(): Promise<void> {
    await this.home.writer(async () => {
      const stillDamaged = await this.#openExisting().then(
        (table) => {
          table.close();
          return this.#faults >= tolerated;
        },
        (fault: unknown) => !isShortage(fault),
      );
      if (!stillDamaged) return;
      await this.home.moveAside(this.name);
      this.#table = null;
      this.follow.foreign();
      await this.#make();
    });
    this.#faults = 0;
  }

  /**
   * Reads from the table. If its files are gone, the next call recreates it; if reads keep failing,
   * it is replaced. `proves` false: success says nothing about the state of the rows.
   */
  async read<T>(work: (table: Table) => Promise<T>, proves = true): Promise<T> {
    const table = await this.open().catch(async (fault: unknown) => {
      if (isShortage(fault)) throw fault;
      await this.#replaceDamaged().catch(() => {
        throw fault;
      });
      return this.open();
    });
    try {
      const result = await work(table);
      if (proves) this.#faults = 0;
      return result;
    } catch (cause) {
      if (
        !(cause instanceof VectorStoreError) &&
        !isConflict(cause) &&
        !isShortage(cause) &&
        ++this.#faults >= tolerated
      ) {
        await this.#replaceDamaged().catch(() => undefined);
        throw new VectorStoreError(
          `The search index ${this.name} was damaged and is made again: ${firstLine(cause)}`,
          { isRetryable: true, cause },
        );
      }
      throw this.#fault(cause);
    }
  }

  /** `first`: no row with any of these ids was ever written. */
  upsert(rows: LanceRow[], first: First = false): Promise<void> {
    return rows.length ? this.#queue.upsert(rows, first) : Promise.resolve();
  }

  delete(filter: string, before?: (table: Table) => Promise<void> | void): Promise<void> {
    return this.exclusive(async (table) => {
      await before?.(table);
      await retried(() => table.delete(filter));
      this.#markWritten();
    });
  }

  /** Runs exclusively: no other write of this process runs meanwhile. */
  exclusive(work: (table: Table) => Promise<void>): Promise<void> {
    return this.#queue.run(() => this.#tracked(work));
  }

  /** Reads while none of our writes run. Another process's writes are noticed at the next check. */
  alone(work: (table: Table) => Promise<void>): Promise<void> {
    return this.#queue.run(() =>
      this.read(async (table) => {
        await this.#look(table);
        await work(table);
      }),
    );
  }

  /** Calls `follow.foreign` if another process has written since our last check. */
  async watch(): Promise<void> {
    // One search calls this several times in a row, and each check lists the folder.
    if (this.#busy > 0 || performance.now() - this.#looked < lookEveryMs) return;
    await this.read((table) => this.#look(table), false);
    this.#looked = performance.now();
  }

  async #look(table: Table): Promise<void> {
    const version = await table.version();
    if (this.#busy > 1 || version === this.#version) return;
    this.#version = version;
    this.follow.foreign();
  }

  async #tracked(work: (table: Table) => Promise<void>): Promise<void> {
    this.#busy++;
    try {
      // Opened first, because creating a table also takes the write lease.
      await this.read(() => Promise.resolve(), false);
      await this.home.writer(() =>
        this.read(async (table) => {
          await this.#look(table);
          await work(table);
          this.#version = await table.version();
        }),
      );
    } finally {
      this.#busy--;
    }
  }

  drop(): Promise<void> {
    return this.#queue.run(async () => {
      this.#table = null;
      this.#version = -1;
      this.#dirty = false;
      this.follow.foreign();
      await this.home.writer(async () => {
        await this.home.forgetTable(this.name);
        if ((await this.home.connection.tableNames()).includes(this.name))
          await this.home.connection.dropTable(this.name);
      });
    });
  }

  optimize(): Promise<void> {
    return this.#queue.run(async () => {
      if (!this.#dirty || !this.#table) return;
      this.#dirty = false;
      await this.#tracked(async (table) => {
        await retried(() =>
          table.optimize({ cleanupOlderThan: new Date(Date.now() - keepVersionsMs) }),
        );
        await this.follow.optimized?.(table);
      }).catch((error) => {
        this.#dirty = true;
        throw error;
      });
    });
  }

  async close(): Promise<void> {
    await this.#queue.idle();
    const table = await this.#table?.catch(() => null);
    table?.close();
  }

  async #commit(rows: LanceRow[], firsts: First[]): Promise<void> {
    // If an id occurs twice in one commit the later row wins; Lance would keep both.
    const unique = [...new Map(rows.map((row) => [row.id, row])).values()];
    await this.#tracked(async (table) => {
      let replaced = 0;
      // Checking for rows to replace costs three times as much as the write. Decided while no other
      // process writes, so that earlier writes of another run are visible and later ones replace
      // these rows.
      const isFirst = (
        await Promise.all(firsts.map((first) => (typeof first === "function" ? first() : first)))
      ).every(Boolean);
      if (isFirst) await retried(() => table.add(unique));
      else
        replaced = Number(
          (
            await retried(() =>
              table
                .mergeInsert("id")
                .whenMatchedUpdateAll()
                .whenNotMatchedInsertAll()
                .execute(unique),
            )
          ).numUpdatedRows,
        );
      this.#markWritten();
      this.follow.commit?.(unique, replaced > 0);
    });
  }

  #markWritten(): void {
    this.#dirty = true;
    this.#written = performance.now();
  }

  #unusable(cause: unknown): VectorStoreError {
    if (cause instanceof VectorStoreError) return cause;
    return new VectorStoreError(
      `The search index ${this.home.folder}/${this.name}.lance cannot be read: ${firstLine(cause)}`,
      { isRetryable: true, cause },
    );
  }

  #fault(cause: unknown): VectorStoreError {
    if (cause instanceof VectorStoreError) return cause;
    const missing = /not found|no such file|does not exist/i.test(String(cause));
    if (missing) {
      this.#table = null;
      this.follow.foreign();
    }
    return new VectorStoreError(`The search index ${this.name} failed: ${firstLine(cause)}`, {
      isRetryable: missing || isConflict(cause),
      cause,
    });
  }
}

const firstLine = (error: unknown): string =>
  String(error instanceof Error ? error.message : error)
    .split("\n")[0]!
    .slice(0, 300);
/** The cause is the machine, not the table. */
const isShortage = (error: unknown): boolean =>
  /permission denied|too many open files|no space|read-only file system|out of memory|os error (?:12|13|24|28|30)\b/i.test(
    String(error),
  );
const isConflict = (error: unknown): boolean => /conflict/i.test(String(error));

/** Another process may have committed first; the same write then succeeds on the new version. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= 5 || !isConflict(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 20));
    }
  }
}
