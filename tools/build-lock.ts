import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { root } from "./checkout.ts";

const lookAgainMs = 200;
/** SQLITE_BUSY: another process holds the lock. */
const busy = 5;

/**
 * Runs `work` in one process of this checkout at a time. The lock is SQLite's lock on a file, so it
 * is released when its process ends, in whatever way.
 */
export async function withBuildLock<T>(
  work: () => Promise<T>,
  file = join(root, "node_modules", ".carrel-build.lock"),
): Promise<T> {
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
