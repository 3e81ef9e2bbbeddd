import { readdirSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isRunning } from "../process.ts";

/** The name of an unfinished file or folder, which says which process writes it. */
export const unfinishedName = (path: string): string =>
  `${path}.${process.pid}@${hostname()}.partial`;

const unfinished = /\.(\d+)@([^@/]+)\.partial$/;
/** Age at which another machine's leftovers are removed, as its process may still be running. */
const abandonedMs = 24 * 3_600_000;

/** Removes what killed backups and restores left in a folder. Returns the names. */
export function removeLeftovers(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => isAbandoned(folder, name));
  for (const name of names) rmSync(join(folder, name), { recursive: true, force: true });
  return names;
}

function isAbandoned(folder: string, name: string): boolean {
  const [, pid, host] = unfinished.exec(name) ?? [];
  if (pid === undefined) return false;
  // Ours comes after this: in containers, each process has the same id.
  if (host === hostname()) return Number(pid) === process.pid || !isRunning(Number(pid));
  // In a shared folder, the other machine may have finished and renamed it since it was listed.
  const stats = statSync(join(folder, name), { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > abandonedMs;
}
