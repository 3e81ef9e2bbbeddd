import type { OnModuleDestroy } from "@nestjs/common";
import type { DataSource, EntityManager, MigrationInterface, QueryRunner } from "typeorm";
import { multiUserEnabled, type EventPayload } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { Consume } from "./handle.ts";
import { Reconciler } from "./reconciler.ts";
import type { OutboxMessage } from "./outbox.ts";

/** A table whose rows belong to a user; its primary key must be `id`. */
export interface OwnedTable {
  table: string;
  ownerColumn: string;
  createdColumn: string;
}
export interface OwnerTransferOptions {
  schema: string;
  tables: readonly OwnedTable[];
  logger: Logger;
  /** Rows per transaction; default 500. */
  batchSize?: number;
  /** Pause between two batches so that a large table does not block other work; default 0 ms. */
  pauseMs?: number;
}

/**
 * Requests started before the switch may still write for this long; later rows without an owner
 * come from the developer API.
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
      await runner.query(`create table "${schema}"."owner_transfer" (
        "id" integer primary key default 1 check ("id" = 1), "admin_id" integer not null, "at" timestamptz not null, "done_at" timestamptz)`);
    }
    async down(runner: QueryRunner): Promise<void> {
      await runner.query(`drop table "${schema}"."owner_transfer"`);
    }
  };
}

/**
 * When multi-user mode is switched on, assigns the service's rows without an owner to the first
 * admin. The event is recorded in `owner_transfer` and the rows move in background batches; the
 * reconciler resumes after a crash and sweeps once more for rows of requests in flight during the
 * switch. A service extends this class with its tables.
 */
export abstract class OwnerTransfer extends Reconciler implements OnModuleDestroy {
  readonly #options: Required<OwnerTransferOptions>;
  #running: Promise<void> | null = null;
  #stopped = false;

  constructor(
    protected readonly dataSource: DataSource,
    options: OwnerTransferOptions,
  ) {
    super();
    this.#options = { batchSize: 500, pauseMs: 0, ...options };
  }

  @Consume(multiUserEnabled)
  async remember({ adminId, at }: EventPayload<typeof multiUserEnabled>): Promise<void> {
    await this.dataSource.query(
      `insert into "${this.#options.schema}"."owner_transfer" ("admin_id", "at") values ($1, $2) on conflict do nothing`,
      [adminId, at],
    );
    this.#begin();
  }

  override async due(): Promise<OutboxMessage[]> {
    if ((await this.#find()) !== null) this.#begin();
    return [];
  }

  /** Finishes the current batch; the rest moves after the next start. */
  async onModuleDestroy(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  /**
   * Transfers these rows, which are locked; a service with dependent rows transfers those in the
   * same transaction.
   */
  protected async move(
    manager: EntityManager,
    table: OwnedTable,
    ids: string[],
    adminId: number,
  ): Promise<void> {
    await manager.query(
      `update "${this.#options.schema}"."${table.table}" set "${table.ownerColumn}" = $1 where "id" = any($2)`,
      [adminId, ids],
    );
  }

  /** Awaited by neither the event nor the reconciler, so that it doesn't delay a shutdown. */
  #begin(): void {
    if (this.#stopped) return;
    this.#running ??= this.#run()
      .catch((error: unknown) =>
        this.#options.logger.warn(
          { err: error, schema: this.#options.schema },
          "rows without an owner could not be moved, trying again later",
        ),
      )
      .finally(() => {
        this.#running = null;
      });
  }

  async #find(): Promise<{ admin_id: number; is_over: boolean } | null> {
    const rows = await this.dataSource.query<{ admin_id: number; is_over: boolean }[]>(
      `select "admin_id", now() > "at" + $1 * interval '1 second' as "is_over" from "${this.#options.schema}"."owner_transfer" where "done_at" is null`,
      [lateRowsSeconds + lateCommitsSeconds],
    );
    return rows[0] ?? null;
  }

  async #run(): Promise<void> {
    const due = await this.#find();
    if (due === null) return;
    for (const table of this.#options.tables) {
      // Repeats until a pass finds nothing: rows locked or removed by another transaction must not
      // end it early.
      while ((await this.#pass(table, due.admin_id)) > 0) if (this.#stopped) return;
    }
    if (due.is_over && !this.#stopped)
      await this.dataSource.query(
        `update "${this.#options.schema}"."owner_transfer" set "done_at" = now() where "done_at" is null`,
      );
  }

  /** Goes through the table once in ID order; returns the number of rows moved. */
  async #pass(table: OwnedTable, adminId: number): Promise<number> {
    let moved = 0;
    let after: string | null = null;
    while (!this.#stopped) {
      const ids: string[] = await this.#batch(table, adminId, after);
      if (ids.length === 0) break;
      moved += ids.length;
      after = ids.at(-1)!;
      if (this.#options.pauseMs > 0)
        await new Promise((resolve) => setTimeout(resolve, this.#options.pauseMs));
    }
    return moved;
  }

  async #batch(table: OwnedTable, adminId: number, after: string | null): Promise<string[]> {
    const { schema, batchSize } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.dataSource.transaction(async (manager) => {
          // One replica at a time: replicas blocking on each other's rows would only slow both
          // down.
          await manager.query("select pg_advisory_xact_lock(hashtext($1))", [
            `owner-transfer:${schema}`,
          ]);
          const rows = await manager.query<{ id: string }[]>(
            `select "id"::text as "id" from "${schema}"."${table.table}" t where t."${table.ownerColumn}" is null
            and t."${table.createdColumn}" <= (select "at" from "${schema}"."owner_transfer") + $1 * interval '1 second' ${after === null ? "" : 'and t."id" > $3'}
            order by t."id" limit $2 for update of t`,
            [lateRowsSeconds, batchSize, ...(after === null ? [] : [after])],
          );
          const ids = rows.map((row) => row.id);
          if (ids.length > 0) await this.move(manager, table, ids, adminId);
          return ids;
        });
      } catch (error) {
        if (attempt === 5 || !passingFaults.has((error as { code?: string }).code ?? ""))
          throw error;
        await new Promise((resolve) => setTimeout(resolve, attempt * 100));
      }
    }
  }
}
