import { statfs } from "node:fs/promises";
import { join } from "node:path";
import type { ProcessConfig } from "@carrel/config";
import { conditionsChannel } from "@carrel/contracts";
import { readLastBackup } from "@carrel/database";
import { isStorageFull, onStorageFull, type Broadcast, type WrittenPlace } from "@carrel/messaging";
import { metrics, type Conditions, type Health, type Logger } from "@carrel/observability";
import type { DataSource } from "typeorm";

/** How often stores and folders are looked at, in ms. */
const lookMs = 10_000;
/** A failed write counts for this long if nothing shows that there is space again, in ms. */
const fullMs = 20_000;
/** Space below which a folder is low: this share of its file system, or these bytes if fewer. */
const low = { share: 0.1, bytes: 2 * 1024 ** 3 };
/** Below this share, in practice nothing larger than a few rows can be written. */
const fullShare = 0.01;
/** After this time without a backup, admins are told; a day and a half, for daily backups. */
const backupMs = 36 * 3_600_000;

const freeBytes = metrics.gauge("carrel_folder_free_bytes", "Space that is left for a folder", [
  "folder",
]);
const sizeBytes = metrics.gauge(
  "carrel_folder_size_bytes",
  "Size of the file system that a folder is on",
  ["folder"],
);
const lastBackup = metrics.gauge(
  "carrel_backup_last_success_timestamp_seconds",
  "When the last backup was completed; 0 if none was",
);

/** The folders that Carrel writes on this machine, by name. */
const foldersOf = (config: ProcessConfig): Record<string, string> => ({
  data: config.CARREL_HOME,
  ...(config.S3_BUCKET === undefined && { originals: join(config.CARREL_HOME, "blobs") }),
  index: join(config.CARREL_HOME, "index"),
  logs: join(config.CARREL_HOME, "logs"),
  models: config.CARREL_MODELS_DIR ?? join(config.CARREL_HOME, "models"),
});

/** The part of a folder's file system that is free; null if it doesn't exist or says no size. */
async function measure(name: string, folder: string): Promise<"disk-low" | "disk-full" | null> {
  const found = await statfs(folder).catch(() => null);
  if (found === null || found.blocks === 0) return null;
  const [free, size] = [found.bavail * found.bsize, found.blocks * found.bsize];
  freeBytes.set({ folder: name }, free);
  sizeBytes.set({ folder: name }, size);
  if (free < fullShare * size && free < low.bytes) return "disk-full";
  return free < Math.min(low.share * size, low.bytes) ? "disk-low" : null;
}

/** Fails like any other write if PostgreSQL's file system has no space for a few pages. */
const tryWrite = (dataSource: DataSource): Promise<unknown> =>
  dataSource.transaction((manager) =>
    manager.query(`CREATE TEMPORARY TABLE space_check ON COMMIT DROP AS
      SELECT repeat(md5(n::text), 60) AS filler FROM generate_series(1, 64) AS n`),
  );

interface WatchOptions {
  service: string;
  config: ProcessConfig;
  health: Health;
  broadcast: Pick<Broadcast, "announce">;
  logger: Logger;
  dataSource?: DataSource | undefined;
  /** Whether this service reads the age of the last backup. */
  watchesBackups?: boolean;
  /** For tests: shorter than ten seconds. */
  everyMs?: number;
}

/**
 * Watches the space in folders, writes that fail for lack of it, stores that don't answer and the
 * age of the last backup: for /readyz and metrics of this process, and for admins, whom gateways
 * tell. Returns a function that stops this.
 */
export function watchStores(options: WatchOptions): () => void {
  const { service, config, health, broadcast, logger, dataSource } = options;
  const full = new Map<WrittenPlace, number>();
  let conditions: Conditions = {};
  let isAnnounced = false;
  let noted = "";
  health.addConditions(() => conditions);
  const source = `${service}-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;

  async function look(): Promise<void> {
    const found: Conditions = {};
    for (const [name, folder] of Object.entries(foldersOf(config))) {
      const condition = await measure(name, folder);
      if (condition !== null) found[name] = condition;
    }
    if (full.has("postgresql") && dataSource)
      await tryWrite(dataSource).then(
        () => full.delete("postgresql"),
        (error: unknown) => isStorageFull(error),
      );
    for (const [place, at] of full)
      if (Date.now() - at > fullMs) full.delete(place);
      else if (place !== "files") found[place] = "disk-full";
      else if (!Object.values(found).includes("disk-full")) found.originals = "disk-full";
    const { checks } = await health.readyz();
    for (const [name, state] of Object.entries(checks))
      if (state !== "ok" && name !== "accepting") found[name] ??= "unreachable";
    if (options.watchesBackups && dataSource) {
      const at = await readLastBackup(dataSource).catch(() => null);
      lastBackup.set((at?.getTime() ?? 0) / 1_000);
      if (at !== null && Date.now() - at.getTime() > backupMs) found.backup = "backup-old";
    }
    conditions = found;
    note(found);
    const hasAny = Object.keys(found).length > 0;
    if (!hasAny && !isAnnounced) return;
    isAnnounced = hasAny;
    // Not awaited: with a slow Redis, nothing would be looked at any more.
    broadcast
      .announce(conditionsChannel, { source, conditions: found })
      .catch((error: unknown) => logger.debug({ err: error }, "couldn't announce conditions"));
  }

  /** Logs conditions that differ from those of the last look. */
  function note(found: Conditions): void {
    const text = Object.entries(found)
      .map(([place, condition]) => `${place} ${condition}`)
      .sort()
      .join(", ");
    if (text === noted) return;
    noted = text;
    if (text === "") logger.info("nothing needs an administrator any more");
    else logger.warn({ degraded: found }, "something needs an administrator");
  }

  let looking: Promise<void> | null = null;
  const lookOnce = (): void => {
    looking ??= look()
      .catch((error: unknown) => logger.debug({ err: error }, "couldn't look at the stores"))
      .finally(() => {
        looking = null;
      });
  };
  const stopListening = onStorageFull((place) => {
    if (!full.has(place)) setImmediate(lookOnce);
    full.set(place, Date.now());
  });
  const stopMeasuring = metrics.beforeRender(async () => {
    for (const [name, folder] of Object.entries(foldersOf(config))) await measure(name, folder);
    await health.readyz();
  });
  const timer = setInterval(lookOnce, options.everyMs ?? lookMs).unref();
  lookOnce();
  return () => {
    clearInterval(timer);
    stopListening();
    stopMeasuring();
  };
}
