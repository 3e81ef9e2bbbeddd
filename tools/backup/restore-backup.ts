import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Secret, type InstanceConfig } from "@carrel/config";
import { clearRedis } from "@carrel/messaging";
import { openBlobStore, type BlobStore } from "@carrel/storage";
import { PlainError, say } from "../terminal.ts";
import { readEntries, type ArchiveEntry } from "./archive-reader.ts";
import { keyIdOf } from "./create-backup.ts";
import {
  connectedServices,
  DatabaseRestore,
  isDatabaseEmpty,
  refuseNewer,
} from "./load-database.ts";
import { shownBytes, type Manifest } from "./manifest.ts";

export interface RestoreOptions {
  file: string;
  /** The file's, as `verifyArchive` returns it. */
  manifest: Manifest;
  /** Contains the instance key that `backup --export-key` wrote. */
  keyFile?: string;
  /** Whether existing data may be replaced. */
  replace: boolean;
  signal: AbortSignal;
}

export interface Restored {
  /** Whether the instance can read what is encrypted in the backup. */
  hasKey: boolean;
  /** Names the data that was replaced: schemas, folders and key end in it. Null if there was none. */
  suffix: string | null;
}

/**
 * Restores a backup while Carrel is stopped. The database changes in one transaction at the end;
 * until then, and after an interruption, the instance is as it was.
 */
export async function restoreBackup(
  config: InstanceConfig,
  { file, manifest, keyFile, replace, signal }: RestoreOptions,
): Promise<Restored> {
  refuseNewer(manifest);
  const key = chooseKey(config, manifest, keyFile);
  await refuseRunning(config);
  const isEmpty = await isDatabaseEmpty(config.DATABASE_URL);
  if (!isEmpty && !replace)
    throw new PlainError(
      "This instance has data already.\nWhat to do: restore into an empty one (another CARREL_HOME or DATABASE_URL), or add --replace, which keeps the present data beside the restored data.",
    );
  const suffix = `replaced_${new Date().toISOString().slice(0, 19).replaceAll(/[-:T]/g, "")}`;
  const kept = join(config.CARREL_HOME, `blobs-${suffix}`);

  say("Restoring the database");
  const database = await DatabaseRestore.begin(config.DATABASE_URL, manifest, suffix);
  try {
    // The sweeper deletes originals that the restored database doesn't name.
    if (!isEmpty && config.S3_BUCKET === undefined)
      linkTree(join(config.CARREL_HOME, "blobs"), kept);
    await restoreEntries(database, openBlobStore(config), file, signal);
    say("Checking counts and references");
    await database.finish();
    signal.throwIfAborted();
    // A service that has started meanwhile would go on with what it read before.
    await refuseRunning(config);
    await database.commit();
  } catch (error) {
    await database.abandon();
    rmSync(kept, { recursive: true, force: true });
    throw error;
  }
  key.save(suffix);
  setAside(join(config.CARREL_HOME, "index"), suffix);
  await clearRedis(config.REDIS_URL);
  return { hasKey: key.isRight, suffix: isEmpty ? null : suffix };
}

async function refuseRunning(config: InstanceConfig): Promise<void> {
  const services = await connectedServices(config.DATABASE_URL);
  if (services.length > 0)
    throw new PlainError(
      `Carrel is still running: ${services.join(", ")} use the database.\nWhat to do: stop it, then run the same command again.`,
    );
}

async function restoreEntries(
  database: DatabaseRestore,
  store: BlobStore,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  let [count, bytes, shownAt] = [0, 0, Date.now()];
  const blobs = "blobs/";
  for await (const entry of readEntries(file, signal)) {
    if (entry.name.startsWith("database/"))
      await database.load(entry.name, await buffer(entry.body));
    else if (entry.name.startsWith(blobs)) {
      if (count === 0) say("Restoring originals, images and pictures");
      await putMissing(store, entry.name.slice(blobs.length), entry);
      count += 1;
      bytes += entry.bytes;
    }
    if (Date.now() - shownAt > 5_000) {
      shownAt = Date.now();
      if (count > 0) say(`  … ${count} files, ${shownBytes(bytes)}`);
    }
  }
}

/** Keys name their content or are random, so an equal key has the same bytes. */
async function putMissing(store: BlobStore, key: string, entry: ArchiveEntry): Promise<void> {
  if ((await store.stat(key))?.bytes === entry.bytes) return;
  await store.put(key, entry.body);
}

interface ChosenKey {
  /** Whether it is the key that the backup's encrypted columns need. */
  isRight: boolean;
  save(suffix: string): void;
}

/** The given key if it fits, otherwise the instance's own. */
function chooseKey(config: InstanceConfig, manifest: Manifest, keyFile?: string): ChosenKey {
  const path = join(config.CARREL_HOME, "secret.key");
  const present = existsSync(path) ? new Secret(readFileSync(path, "utf8").trim()) : null;
  const own = config.CARREL_SECRET ?? present;
  const isRight = own !== null && keyIdOf(own) === manifest.keyId;
  if (keyFile === undefined) return { isRight, save: () => undefined };
  const given = new Secret(readFileSync(keyFile, "utf8").trim());
  if (given.reveal().length < 32 || keyIdOf(given) !== manifest.keyId)
    throw new PlainError(
      `${keyFile} isn't the key of this backup's instance.\nWhat to do: find the key that was exported from it, or leave out --key to restore without what is encrypted.`,
    );
  if (config.CARREL_SECRET !== undefined && !isRight)
    throw new PlainError(
      "CARREL_SECRET is set to another key than the one given.\nWhat to do: set it to the given key, or unset it to have the key stored in the data folder.",
    );
  return {
    isRight: true,
    save: (suffix) => {
      if (isRight) return;
      setAside(path, suffix);
      writeFileSync(path, `${given.reveal()}\n`, { mode: 0o600, flag: "wx", flush: true });
    },
  };
}

function setAside(path: string, suffix: string): void {
  if (existsSync(path)) renameSync(path, `${path}-${suffix}`);
}

/** Costs no space: files of the blob store are never changed in place. */
function linkTree(from: string, to: string): void {
  if (!existsSync(from)) return;
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const source = join(entry.parentPath, entry.name);
    const target = join(to, source.slice(from.length + 1));
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    linkSync(source, target);
  }
}
