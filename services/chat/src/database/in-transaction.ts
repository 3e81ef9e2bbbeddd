import { setTimeout as wait } from "node:timers/promises";
import { QueryFailedError, type DataSource, type EntityManager } from "typeorm";

/** PostgreSQL's error code for a deadlock. */
const deadlock = "40P01";
const attempts = 4;

/** Recognises a deadlock as the driver throws it, or as TypeORM wraps it. */
const isDeadlock = (error: unknown): boolean => {
  const fault: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return fault instanceof Error && "code" in fault && fault.code === deadlock;
};

/**
 * Retries a transaction that PostgreSQL aborted because of a deadlock: changing a thread locks the
 * thread and then its runs, while a run that ends locks itself and then its thread. `run` must be a
 * single transaction.
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
