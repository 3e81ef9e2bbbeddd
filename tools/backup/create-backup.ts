import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  acceptedSecrets,
  deriveKey,
  secretFingerprint,
  type InstanceConfig,
  type Secret,
} from "@carrel/config";
import { SecretBox, recordBackup } from "@carrel/database";
import { BlobMissingError, openBlobStore, temporaryPrefix } from "@carrel/storage";
import { root } from "../checkout.ts";
import { say } from "../terminal.ts";
import { ArchiveWriter } from "./archive-writer.ts";
import { DatabaseSnapshot } from "./dump-database.ts";
import { removeLeftovers } from "./leftovers.ts";
import { formatVersion, shownBytes, type Manifest } from "./manifest.ts";

/** Identifies the key of the encrypted columns. */
export const keyIdOf = (secret: Secret): string =>
  new SecretBox(deriveKey(secret, "columns")).keyId;

/** The accepted secret that this predicate chooses, otherwise the instance's own. */
const chooseSecret = (config: InstanceConfig, isRight: (secret: Secret) => boolean): Secret => {
  const accepted = acceptedSecrets(config);
  return accepted.find(isRight) ?? accepted[0];
};

/** The secret that reads what is encrypted in a backup that this instance has just made. */
export const secretOfBackup = (config: InstanceConfig, { keyId }: Manifest): Secret =>
  chooseSecret(config, (secret) => keyIdOf(secret) === keyId);

export interface BackupOptions {
  /** Path of the file, which must not exist; null for standard output. */
  file: string | null;
  vectors: boolean;
  signal: AbortSignal;
}

/**
 * Backs up database and originals while Carrel may keep running: the database is read in one
 * transaction, and originals never change under their key. Removes the file if it can't finish.
 */
export async function createBackup(
  config: InstanceConfig,
  { file, vectors, signal }: BackupOptions,
): Promise<Manifest> {
  const createdAt = new Date().toISOString();
  const leftovers = file === null ? [] : removeLeftovers(dirname(file));
  if (leftovers.length > 0) say(`Removed what a killed backup left: ${leftovers.join(", ")}`);
  const snapshot = await DatabaseSnapshot.open(config.DATABASE_URL);
  const archive = new ArchiveWriter(file, signal);
  // Otherwise a statement that waits for a lock or a slow client would hold up the interruption.
  const interrupt = (): void => void snapshot.close().catch(() => undefined);
  signal.addEventListener("abort", interrupt);
  try {
    say("Backing up the database");
    const dump = await snapshot.dump(archive, { vectors });
    const rows = dump.tables.reduce((sum, table) => sum + table.rows, 0);
    say(`  ${rows} rows of ${dump.tables.length} tables`);
    say("Backing up originals, images and pictures");
    const originals = await copyOriginals(config, archive, snapshot);
    say(`  ${originals.count} files, ${shownBytes(originals.bytes)}`);
    const owner = await snapshot.owner();
    const manifest = await archive.finish({
      format: "carrel-backup",
      formatVersion,
      createdAt,
      version: carrelVersion(),
      // Between the steps of a rotation, the first secret isn't yet the one that sealed everything.
      keyId: keyIdOf(chooseSecret(config, (secret) => secretFingerprint(secret) === owner)),
      vectors,
      ...dump,
      originals,
    });
    // The backup is complete all the same, for instance with a role that may only read.
    await recordBackup(config.DATABASE_URL, new Date()).catch((error: Error) =>
      say(`  The alert for old backups doesn't know of this one: ${error.message}`),
    );
    return manifest;
  } catch (error) {
    await archive.abandon();
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", interrupt);
    await snapshot.close().catch(() => undefined);
  }
}

const carrelVersion = (): string =>
  (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;

async function copyOriginals(
  config: InstanceConfig,
  archive: ArchiveWriter,
  snapshot: DatabaseSnapshot,
): Promise<Manifest["originals"]> {
  const store = openBlobStore(config);
  const copied = new Set<string>();
  let bytes = 0;
  let shownAt = Date.now();
  for await (const key of store.list("")) {
    if (key.startsWith(temporaryPrefix)) continue;
    try {
      const blob = await store.get(key);
      await archive.add(`blobs/${key}`, blob);
      bytes += blob.bytes;
      copied.add(key);
    } catch (error) {
      // Deleted meanwhile: reported below if the database of this backup needs it.
      if (!(error instanceof BlobMissingError)) throw error;
    }
    if (Date.now() - shownAt > 5_000) {
      shownAt = Date.now();
      say(`  … ${copied.size} files, ${shownBytes(bytes)}`);
    }
  }
  let missing = 0;
  for await (const keys of snapshot.originals())
    missing += keys.filter((key) => !copied.has(key)).length;
  if (missing > 0)
    say(
      `  ${missing} originals are missing in the store or were deleted during the backup; their texts are included`,
    );
  return { count: copied.size, bytes };
}
