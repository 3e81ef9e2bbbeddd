import { setTimeout as wait } from "node:timers/promises";

const lookAgainMs = 200;
/** SQLITE_BUSY: another process holds the lock. */
const busy = 5;

/**
 * Runs `work` in one process at a time of those that lock the same file. It is SQLite's lock, so it
 * is released when its process ends, in whatever way.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    while (!take(database)) await wait(lookAgainMs);
    return await work();
  } finally {
    database.close();
  }
}

function take(database: { exec(sql: string): void }): boolean {
  try {
    database.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if ((error as { errcode?: unknown }).errcode === busy) return false;
    throw error;
  }
}
