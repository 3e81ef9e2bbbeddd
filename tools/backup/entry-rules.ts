import type { Readable } from "node:stream";
import { PlainError } from "../terminal.ts";
import { manifestName } from "./manifest.ts";

/** The file isn't a complete, unchanged backup. */
export class DamagedBackupError extends PlainError {}

/** Lists of checksums and the manifest are held in memory; a real one takes a few hundred kB. */
const longestList = 64 * 1024 * 1024;

const part = /^database\/[a-z_]\w*\.[A-Za-z_]\w*\/\d{6,}\.gz$/;
/** The blob store's own rule, which leaves no way out of its folder. */
const blob = /^blobs\/[a-z0-9](?:[a-z0-9_-]|\/(?!\/)){0,510}[a-z0-9_-]$/;
const list = /^checksums\/\d+$/;

export const isList = (name: string): boolean => list.test(name);
export const isManifest = (name: string): boolean =>
  name === manifestName || name === `${manifestName}.sha256`;

/**
 * Refuses what no backup contains: links, folders and devices, paths that lead elsewhere, parts
 * that follow the manifest.
 */
export function checkEntry(name: string, type: string, isAfterManifest: boolean): void {
  const shown = JSON.stringify(name.slice(0, 200));
  if (type !== "file")
    throw new DamagedBackupError(
      `This isn't a backup that Carrel made: its entry ${shown} is a ${type}, not a file.`,
    );
  if (![part, blob, list].some((form) => form.test(name)) && !isManifest(name))
    throw new DamagedBackupError(
      `This isn't a backup that Carrel made: it has an entry with the name ${shown}.`,
    );
  if (isAfterManifest && name !== `${manifestName}.sha256`)
    throw new DamagedBackupError(
      `The backup is damaged: ${shown} follows the manifest, which comes last.`,
    );
}

/** Tables come one after the other, each with its parts in their order. */
export class PartOrder {
  private table = "";
  private part = 0;
  private readonly seen = new Set<string>();

  add(name: string): void {
    const [kind, table = "", file = ""] = name.split("/");
    if (kind !== "database") return;
    this.part = table === this.table ? this.part + 1 : 1;
    const isNew = table === this.table || !this.seen.has(table);
    if (!isNew || Number(file.split(".")[0]) !== this.part)
      throw new DamagedBackupError(`The backup is damaged: ${name} is out of order.`);
    this.table = table;
    this.seen.add(table);
  }
}

/** The content of an entry that is held in memory. */
export async function readSmall(name: string, bytes: number, body: Readable): Promise<Buffer> {
  if (bytes > longestList)
    throw new DamagedBackupError(`The backup is damaged: ${name} is too long.`);
  const pieces: Buffer[] = [];
  for await (const piece of body as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}
