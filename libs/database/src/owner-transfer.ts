import { setTimeout as wait } from "node:timers/promises";
import type { DataSource, EntityManager, MigrationInterface, QueryRunner } from "typeorm";

/** A table whose rows belong to a user; its primary key must be `id`. */
export interface OwnedTable {
  table: string;
  ownerColumn: string;
  createdColumn: string;
  /** SQL for the rows to be moved; default: all without an owner. */
  condition?: string;
}
export interface OwnerTransferOptions {
  schema: string;
  tables: readonly OwnedTable[];
  /** The remaining rows move at the next `resume`. */
  onError(error: unknown): void;
  /**
   * Runs in the transaction that transfers these (locked) rows, just before they get their new
   * owner: for dependent rows.
   */
  beforeBatch?(
    manager: EntityManager,
    table: OwnedTable,
    ids: string[],
    ownerId: number,
  ): Promise<void>;
  /** Rows per transaction; default 500. */
  batchSize?: number;
}

/**
 * Includes rows without an owner created up to this long after the transfer began: they come from
 * requests in flight.
 */
const lateRowsSeconds = 60;
/** Additional time for those requests' transactions to commit. */
const lateCommitsSeconds = 30;
/**
 * Deadlock, serialization failure, or a unique violation caused by a concurrent insert: the batch
 * is retried.
 */
const passingFaults = new Set(["40P01", "40001", "23505"]);

/**
 * The migration for a service with an `OwnerTransfer`: creates `owner_transfer` in its schema,
 * which holds at most one row.
 */
export function ownerTransferMigration(schema: string): new () => MigrationInterface {
  return class OwnerTransfer1795240000000 implements MigrationInterface {
    readonly name = "OwnerTransfer1795240000000";
    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`CREATE TABLE "${schema}".owner_transfer (
        id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1), admin_id integer NOT NULL, at timestamptz NOT NULL, done_at timestamptz)`);
    }
    async down(runner: QueryRunner): Promise<void> {
      await runner.query(`DROP TABLE "${schema}".owner_transfer`);
    }
  };
}

/**
 * Assigns a service's rows without an owner to one user, once: `start` records the user in
 * `owner_transfer`, and the rows move in background batches. `resume` continues after a crash and
 * sweeps once more for rows of requests in flight.
 */
export class OwnerTransfer {
  private readonly batchSize: number;
  private running: Promise<void> | null = null;
  private isStopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly options: OwnerTransferOptions,
  ) {
    this.batchSize = options.batchSize ?? 500;
  }

  /** Records the new owner, unless there already is one, and starts. `at` is ISO 8601. */
  async start(ownerId: number, at: string): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO "${this.options.schema}".owner_transfer (admin_id, at) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
      [ownerId, at],
    );
    this.runInBackground();
  }

  /** Continues an unfinished transfer, if there is one. */
  async resume(): Promise<void> {
    if ((await this.find()) !== null) this.runInBackground();
  }

  /** Finishes the current batch; the remaining rows move after the next start. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  /** Not awaited by callers, so that a transfer never delays an event or a shutdown. */
  private runInBackground(): void {
    if (this.isStopped) return;
    this.running ??= this.run()
      .catch((error: unknown) => this.options.onError(error))
      .finally(() => {
        this.running = null;
      });
  }

  private async find(): Promise<{ owner_id: number; is_over: boolean } | null> {
    const rows = await this.dataSource.query<{ owner_id: number; is_over: boolean }[]>(
      `SELECT admin_id AS owner_id, now() > at + $1 * interval '1 second' AS is_over
      FROM "${this.options.schema}".owner_transfer
      WHERE done_at IS NULL`,
      [lateRowsSeconds + lateCommitsSeconds],
    );
    return rows[0] ?? null;
  }

  private async run(): Promise<void> {
    const transfer = await this.find();
    if (transfer === null) return;
    for (const table of this.options.tables) {
      // Repeats until a pass finds nothing: rows locked or removed by another transaction must not
      // end it early.
      while ((await this.pass(table, transfer.owner_id)) > 0) if (this.isStopped) return;
    }
    if (transfer.is_over && !this.isStopped)
      await this.dataSource.query(
        `UPDATE "${this.options.schema}".owner_transfer SET done_at = now() WHERE done_at IS NULL`,
      );
  }

  /** Goes through the table once in ID order; returns the number of rows moved. */
  private async pass(table: OwnedTable, ownerId: number): Promise<number> {
    let moved = 0;
    let after: string | null = null;
    while (!this.isStopped) {
      const ids: string[] = await this.transferBatch(table, ownerId, after);
      if (ids.length === 0) break;
      moved += ids.length;
      after = ids.at(-1)!;
    }
    return moved;
  }

  private async transferBatch(
    table: OwnedTable,
    ownerId: number,
    after: string | null,
  ): Promise<string[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.dataSource.transaction(async (manager) => {
          const ids = await this.lockBatch(manager, table, after);
          if (ids.length === 0) return ids;
          await this.options.beforeBatch?.(manager, table, ids, ownerId);
          await manager.query(
            `UPDATE "${this.options.schema}"."${table.table}" SET "${table.ownerColumn}" = $1 WHERE id = ANY($2)`,
            [ownerId, ids],
          );
          return ids;
        });
      } catch (error) {
        if (attempt === 5 || !passingFaults.has((error as { code?: string }).code ?? ""))
          throw error;
        await wait(attempt * 100);
      }
    }
  }

  private async lockBatch(
    manager: EntityManager,
    table: OwnedTable,
    after: string | null,
  ): Promise<string[]> {
    const { schema } = this.options;
    // One replica at a time: replicas blocking on each other's rows would only slow both down.
    await manager.query("SELECT pg_advisory_xact_lock(hashtext($1))", [`owner-transfer:${schema}`]);
    const rows = await manager.query<{ id: string }[]>(
      `SELECT id::text AS id FROM "${schema}"."${table.table}" t
      WHERE t."${table.ownerColumn}" IS NULL
        AND t."${table.createdColumn}" <= (SELECT at FROM "${schema}".owner_transfer)
          + $1 * interval '1 second'
      ${table.condition === undefined ? "" : `AND ${table.condition}`}
      ${after === null ? "" : "AND t.id > $3"}
      ORDER BY t.id LIMIT $2 FOR UPDATE OF t`,
      [lateRowsSeconds, this.batchSize, ...(after === null ? [] : [after])],
    );
    return rows.map((row) => row.id);
  }
}
