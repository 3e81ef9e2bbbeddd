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
import { basename, dirname, join } from "node:path";
import {
  findSecret,
  otherSecret,
  Secret,
  secretFingerprint,
  type InstanceConfig,
} from "@carrel/config";
import { recordFingerprint, type UnfinishedRestore } from "@carrel/database";
import { clearRedis, findForeignKey } from "@carrel/messaging";
import { openBlobStore, type BlobStore } from "@carrel/storage";
import { PlainError, say } from "../terminal.ts";
import { readParts, type ArchiveCheck, type ArchiveEntry } from "./archive-reader.ts";
import { keyIdOf } from "./create-backup.ts";
import { DamagedBackupError } from "./entry-rules.ts";
import { removeLeftovers, unfinishedName } from "./leftovers.ts";
import {
  DatabaseRestore,
  endRestore,
  findUnfinishedRestore,
  isDatabaseEmpty,
  refuseNewer,
  refuseRunning,
} from "./load-database.ts";
import { refuseForeignSchemas } from "./manifest-rules.ts";
import { shownBytes, type Manifest } from "./manifest.ts";
import { findPreviousKey } from "./previous-key.ts";

export interface RestoreOptions {
  file: string;
  /** The file's manifest, as `verifyArchive` returns it. */
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
 * Restores a backup while Carrel is stopped. The database changes in one transaction; until its
 * end, and after an interruption before, the instance is as it was. After an interruption later,
 * services don't start until another run with the same backup has done the rest.
 */
export async function restoreBackup(
  config: InstanceConfig,
  { file, manifest, keyFile, replace, signal }: RestoreOptions,
): Promise<Restored> {
  refuseForeignSchemas(manifest);
  refuseNewer(manifest);
  const key = chooseKey(config, manifest, keyFile);
  await refuseRunning(config.DATABASE_URL);
  await refuseForeignKeys(config);
  mkdirSync(config.CARREL_HOME, { recursive: true, mode: 0o700 });
  const unfinished = await findUnfinishedRestore(config.DATABASE_URL);
  if (unfinished) renameKeptOriginals(config, unfinished);
  const leftovers = removeLeftovers(config.CARREL_HOME);
  if (leftovers.length > 0) say(`Removed what a killed restore left: ${leftovers.join(", ")}`);
  if (unfinished?.backup === manifest.createdAt) {
    say("Finishing the interrupted restore of this backup");
    return finishRestore(config, key, unfinished);
  }
  const wasEmpty = await isDatabaseEmpty(config.DATABASE_URL);
  if (!wasEmpty && !replace)
    throw new PlainError(
      "This instance has data already.\nWhat to do: restore into an empty one (another CARREL_HOME or DATABASE_URL), or add --replace, which keeps the present data beside the restored data.",
    );
  const suffix = `replaced_${new Date().toISOString().replaceAll(/\D/g, "")}`;
  const restore = { suffix, backup: manifest.createdAt, wasEmpty };

  say("Restoring the database");
  const database = await DatabaseRestore.begin(config.DATABASE_URL, manifest, suffix);
  const kept = unfinishedName(keptBlobs(config, restore));
  try {
    // The sweeper deletes originals that the restored database doesn't name.
    if (!wasEmpty && config.S3_BUCKET === undefined)
      linkTree(join(config.CARREL_HOME, "blobs"), kept);
    const store = openBlobStore(config);
    await restoreParts(database, store, { file, manifest, signal });
    say("Checking counts and references");
    await database.finish(restore);
    signal.throwIfAborted();
    // A service that has started meanwhile would keep using what it read before.
    await refuseRunning(config.DATABASE_URL);
  } catch (error) {
    await database.abandon();
    rmSync(kept, { recursive: true, force: true });
    signal.throwIfAborted();
    throw refusedData(error) ?? error;
  }
  // If the reply is lost, only the next run can tell whether the replaced originals are needed:
  // it renames or removes them.
  await database.commit();
  return finishRestore(config, key, restore);
}

/** Does what follows the database's commit. Each step may be repeated. */
async function finishRestore(
  config: InstanceConfig,
  key: ChosenKey,
  restore: UnfinishedRestore,
): Promise<Restored> {
  const { suffix, wasEmpty } = restore;
  renameKeptOriginals(config, restore);
  key.save(suffix);
  setAside(join(config.CARREL_HOME, "index"), suffix);
  // Later anchors contradict the event log that now continues from the backup's.
  setAside(join(config.CARREL_HOME, "audit/anchors.jsonl"), suffix);
  await clearRedis(config.REDIS_URL);
  // Without a key yet, the next start makes one.
  const secret = key.secret ?? findSecret(config);
  await recordFingerprint(config.DATABASE_URL, secret && secretFingerprint(secret));
  await endRestore(config.DATABASE_URL);
  return { hasKey: key.secret !== null, suffix: wasEmpty ? null : suffix };
}

/** The error for values that PostgreSQL refuses in a table; null for any other error. */
function refusedData(error: unknown): DamagedBackupError | null {
  const { code, message } = error as { code?: string; message: string };
  return code !== undefined && /^2[23][0-9A-Z]{3}$/.test(code)
    ? new DamagedBackupError(`The backup is damaged: PostgreSQL refuses its data (${message}).`)
    : null;
}

const keptBlobs = ({ CARREL_HOME }: InstanceConfig, { suffix }: UnfinishedRestore): string =>
  join(CARREL_HOME, `blobs-${suffix}`);

/** Gives the replaced originals their final name, once the database is restored. */
function renameKeptOriginals(config: InstanceConfig, restore: UnfinishedRestore): void {
  const kept = keptBlobs(config, restore);
  const name = readdirSync(config.CARREL_HOME).find(
    (entry) => entry.startsWith(`${basename(kept)}.`) && entry.endsWith(".partial"),
  );
  if (name !== undefined) renameSync(join(config.CARREL_HOME, name), kept);
}

/** A restore deletes Carrel's keys at the end, and can't always tell them from another program's. */
async function refuseForeignKeys({ REDIS_URL }: InstanceConfig): Promise<void> {
  const key = await findForeignKey(REDIS_URL);
  if (key !== null)
    throw new PlainError(
      `The Redis database contains another program's keys, such as "${key}".\nWhat to do: use a separate database for Carrel: for example, add /1 to REDIS_URL, both for this command and for Carrel.`,
    );
}

async function restoreParts(
  database: DatabaseRestore,
  store: BlobStore,
  { file, manifest, signal }: Pick<RestoreOptions, "file" | "manifest" | "signal">,
): Promise<void> {
  let [count, bytes, shownAt] = [0, 0, Date.now()];
  const blobs = "blobs/";
  /** Stored by us, not yet compared with their checksums. */
  let unchecked: string[] = [];
  const check: ArchiveCheck = { manifest: null, onCompared: () => void (unchecked = []) };
  try {
    for await (const entry of readParts(file, signal, check)) {
      if (entry.name.startsWith("database/")) await database.load(entry.name, entry.body);
      else if (entry.name.startsWith(blobs)) {
        if (count === 0) say("Restoring originals, images and pictures");
        const key = entry.name.slice(blobs.length);
        if (await putMissing(store, key, entry)) unchecked.push(key);
        count += 1;
        bytes += entry.bytes;
      }
      if (Date.now() - shownAt > 5_000) {
        shownAt = Date.now();
        if (count > 0) say(`  … ${count} files, ${shownBytes(bytes)}`);
      }
    }
    if (check.manifest?.createdAt !== manifest.createdAt)
      throw new PlainError("The backup was replaced by another one while it was being restored.");
  } catch (error) {
    for (const key of unchecked) await store.delete(key);
    throw error;
  }
}

/**
 * Keys name their content or are random, so an equal key has the same bytes. Returns whether it was
 * missing.
 */
async function putMissing(store: BlobStore, key: string, entry: ArchiveEntry): Promise<boolean> {
  if ((await store.stat(key))?.bytes === entry.bytes) return false;
  await store.put(key, entry.body);
  return true;
}

interface ChosenKey {
  /** Has the key that the backup's encrypted columns need; null if the instance doesn't accept it. */
  secret: Secret | null;
  save(suffix: string): void;
}

/**
 * The given key if it fits, otherwise one that the instance accepts, or that it had before a
 * rotation.
 */
function chooseKey(config: InstanceConfig, manifest: Manifest, given?: string): ChosenKey {
  const path = join(config.CARREL_HOME, "secret.key");
  const present = existsSync(path) ? new Secret(readFileSync(path, "utf8").trim()) : null;
  const accepted = [config.CARREL_SECRET ?? present, otherSecret(config)];
  const secret = accepted.find((each) => each && keyIdOf(each) === manifest.keyId) ?? null;
  const keyFile =
    given ??
    (secret === null && config.CARREL_SECRET === undefined && existsSync(config.CARREL_HOME)
      ? findPreviousKey(config.CARREL_HOME, manifest.keyId)
      : undefined);
  if (keyFile === undefined) return { secret, save: () => undefined };
  if (given === undefined)
    say(
      `Using the previous key in ${keyFile}, which this backup needs. If it was replaced because others know it, run ./carrel rotate-secret again.`,
    );
  const key = new Secret(readFileSync(keyFile, "utf8").trim());
  if (key.reveal().length < 32 || keyIdOf(key) !== manifest.keyId)
    throw new PlainError(
      `${keyFile} isn't the key of this backup's instance.\nWhat to do: find the key that was exported from it, or leave out --key to restore without what is encrypted.`,
    );
  if (config.CARREL_SECRET !== undefined && secret === null)
    throw new PlainError(
      "CARREL_SECRET is set to another key than the one given.\nWhat to do: set it to the given key, or unset it to have the key stored in the data folder.",
    );
  return {
    secret: key,
    save: (suffix) => {
      if (secret !== null) return;
      setAside(path, suffix);
      writeFileSync(path, `${key.reveal()}\n`, { mode: 0o600, flag: "wx", flush: true });
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
