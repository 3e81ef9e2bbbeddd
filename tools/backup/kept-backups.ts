import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PlainError } from "../terminal.ts";

/** The name of a backup that is made at this time; names sort by time. */
export const backupName = (date: Date): string =>
  `carrel-${date.toISOString().slice(0, 19).replaceAll(":", "-")}.tar`;

/** Names of a folder's backups, newest first. Files that were renamed aren't counted. */
const backupsOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /^carrel-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.tar$/.test(name))
    .toSorted()
    .toReversed();

/** Removes all but the newest `keep` backups of a folder. Returns their names. */
export function removeOlderBackups(folder: string, keep: number): string[] {
  const names = backupsOf(folder).slice(keep);
  for (const name of names) rmSync(join(folder, name), { force: true });
  return names;
}

/** The path of a folder's newest backup. */
export function newestBackup(folder: string): string {
  const [name] = backupsOf(folder);
  if (name === undefined)
    throw new PlainError(
      `There is no backup in ${folder}.\nWhat to do: check that backups are made, and into this folder (./carrel backup --to <folder>).`,
    );
  return join(folder, name);
}
