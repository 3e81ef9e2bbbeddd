import { setTimeout as wait } from "node:timers/promises";
import { QueryFailedError, type DataSource, type EntityManager } from "typeorm";

/** PostgreSQL's code for a transaction that it ended because two waited for each other. */
const deadlock = "40P01";
const attempts = 4;

const isDeadlock = (error: unknown): boolean =>
  error instanceof QueryFailedError &&
  (error.driverError as { code?: unknown } | undefined)?.code === deadlock;

/**
 * Runs it again when PostgreSQL ended its transaction for a deadlock: who changes a thread locks
 * the thread and then its
 * runs, and a run that ends locks itself and then its thread. All of it must be one transaction.
 */
export async function retryDeadlock<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === attempts || !isDeadlock(error)) throw error;
      await wait(Math.random() * 50 * attempt);
    }
  }
}

export const inTransaction = <T>(
  dataSource: DataSource,
  run: (manager: EntityManager) => Promise<T>,
): Promise<T> => retryDeadlock(() => dataSource.transaction(run));
