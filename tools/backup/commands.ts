import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { instanceSecret, type InstanceConfig } from "@carrel/config";
import { instanceSettings } from "../checkout.ts";
import { PlainError, say } from "../terminal.ts";
import { verifyArchive } from "./archive-reader.ts";
import { createBackup, secretOfBackup } from "./create-backup.ts";
import { withDatabase, withInstance } from "./instance.ts";
import { backupName, newestBackup, removeOlderBackups } from "./kept-backups.ts";
import { shownBytes, type Manifest } from "./manifest.ts";
import { restoreBackup, type Restored } from "./restore-backup.ts";

const usage = `Usage:
  ./carrel backup [--to <file or folder>] [--vectors] [--export-key <file>] [--keep <number>]
  ./carrel backup verify <file>
  ./carrel backup key
  ./carrel restore <file> [--key <file>] [--replace]
  ./carrel restore drill <folder> [--max-age-hours <number>]

A backup contains the database and the originals, in one tar file that only you can read. Without
--to, it goes to backups in the data folder. --vectors includes the vectors of all texts, which the
embedder makes again otherwise. What is secret stays encrypted with the instance key, which only
--export-key writes and only key prints: keep it elsewhere. A file named - is standard output of a
backup, and standard input of the others. --keep deletes all but that many of the newest backups in
the folder, once the new one is complete.

A drill restores the folder's newest backup into an empty instance, which you throw away afterwards.
It fails if the backup is older than --max-age-hours or needs another key than this instance's.

Exit codes: 0 done, 1 failed, 2 wrong arguments, 130 interrupted.`;

class UsageError extends Error {
  override readonly name = "UsageError";
}

function parse<O extends NonNullable<Parameters<typeof parseArgs>[0]>["options"]>(
  args: readonly string[],
  options: O,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${usage}`);
  }
}

/** Runs until done or interrupted, and sets the exit code. `unchanged` says what that leaves. */
async function run(unchanged: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const interruption = new AbortController();
  const interrupt = (): void => {
    say("Interrupted, cleaning up");
    interruption.abort();
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, interrupt);
  try {
    await work(interruption.signal);
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 2;
    } else if (isInterruption(error, interruption.signal)) {
      say(unchanged);
      process.exitCode = 130;
    } else throw readable(error);
  } finally {
    process.removeAllListeners("SIGINT");
  }
}

/** Whether work ended because of the signal; a restore that is past undoing ignores it. */
const isInterruption = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted && error instanceof Error && error.name === "AbortError";

/** Faults of files and disks are for the operator, without a stack. */
function readable(error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC")
    return new PlainError(
      "The disk is full.\nWhat to do: free some space, or write to another disk with --to.",
    );
  return code !== undefined && syscall !== undefined ? new PlainError(`${message}.`) : error;
}

/** `./carrel backup`, whether or not Carrel is running. */
export const backup = (args: readonly string[]): Promise<void> =>
  run("Interrupted. No backup was made.", async (signal) => {
    const { values, positionals } = parse(args, {
      to: { type: "string" },
      vectors: { type: "boolean" },
      "export-key": { type: "string" },
      keep: { type: "string" },
      help: { type: "boolean" },
    });
    if (values.help === true) return void process.stdout.write(`${usage}\n`);
    if (positionals[0] === "verify" && positionals.length === 2) {
      const manifest = await withFile(positionals[1]!, signal, (file) =>
        verifyArchive(file, signal),
      );
      return void process.stdout.write(
        `${describe(manifest).join("\n")}\nThe backup is complete and unchanged.\n`,
      );
    }
    if (positionals[0] === "key" && positionals.length === 1)
      return withDatabase((config) => {
        process.stdout.write(`${instanceSecret(config).reveal()}\n`);
        return Promise.resolve();
      });
    if (positionals.length > 0) throw new UsageError(usage);
    const { home } = instanceSettings();
    if (values.to === "-" && process.stdout.isTTY)
      throw new PlainError(
        "A backup can't be shown in a terminal.\nWhat to do: add > and a file name, and in a container no terminal (-T with Docker Compose).",
      );
    const file = values.to === "-" ? null : chooseFile(home, values.to);
    const keep = readNumber("--keep", values.keep);
    const keyFile = values["export-key"] === undefined ? null : resolve(values["export-key"]);
    for (const path of [file, keyFile])
      if (path !== null && existsSync(path)) throw new PlainError(`${path} exists already.`);
    await withDatabase(async (config) => {
      const manifest = await createBackup(config, {
        file,
        vectors: values.vectors === true,
        signal,
      });
      say(
        file === null
          ? "The backup is complete"
          : `Backed up to ${file} (${shownBytes(statSync(file).size)})`,
      );
      if (keep !== undefined && file !== null)
        for (const name of removeOlderBackups(dirname(file), keep)) say(`Deleted ${name}`);
      if (keyFile !== null) {
        writeFileSync(keyFile, `${secretOfBackup(config, manifest).reveal()}\n`, {
          mode: 0o600,
          flag: "wx",
          flush: true,
        });
        say(`The instance key is in ${keyFile}. Keep it apart from the backup.`);
      }
      const report = `${describe(manifest).join("\n")}\n`;
      if (file === null) process.stderr.write(report);
      else process.stdout.write(`${report}${file}\n`);
    });
  });

/** `./carrel restore`, while Carrel is stopped. */
export const restore = (args: readonly string[]): Promise<void> =>
  run("Interrupted. Nothing was restored: this instance has the data it had.", async (signal) => {
    const { values, positionals } = parse(args, {
      key: { type: "string" },
      replace: { type: "boolean" },
      "max-age-hours": { type: "string" },
      help: { type: "boolean" },
    });
    if (values.help === true) return void process.stdout.write(`${usage}\n`);
    if (positionals[0] === "drill" && positionals.length === 2) {
      const maxAgeHours = readNumber("--max-age-hours", values["max-age-hours"]);
      return drill(resolve(positionals[1]!), maxAgeHours, signal);
    }
    const [given, ...rest] = positionals;
    if (given === undefined || rest.length > 0) throw new UsageError(usage);
    await withFile(given, signal, async (file) => {
      say("Verifying the backup");
      const manifest = await verifyArchive(file, signal);
      await withInstance(async (config) => {
        const restored = await restoreBackup(config, {
          file,
          manifest,
          keyFile: values.key === undefined ? undefined : resolve(values.key),
          replace: values.replace === true,
          signal,
        });
        process.stdout.write(
          `${[...describe(manifest), ...report(restored, config)].join("\n")}\n`,
        );
      });
    });
  });

/** Restores a folder's newest backup into the empty instance that the environment names. */
async function drill(
  folder: string,
  maxAgeHours: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const began = performance.now();
  const file = newestBackup(folder);
  say(`Verifying ${file} (${shownBytes(statSync(file).size)})`);
  const manifest = await verifyArchive(file, signal);
  const ageHours = (Date.now() - Date.parse(manifest.createdAt)) / 3_600_000;
  if (maxAgeHours !== undefined && ageHours > maxAgeHours)
    throw new PlainError(
      `The newest backup, ${file}, is ${ageHours.toFixed(1)} hours old, more than ${maxAgeHours}.\nWhat to do: find out why no newer one was made.`,
    );
  await withInstance(async (config) => {
    const { hasKey } = await restoreBackup(config, { file, manifest, replace: false, signal });
    if (!hasKey)
      throw new PlainError(
        `The backup can be restored, but what it encrypts can't be read: it needs key ${manifest.keyId}, which isn't this instance's.\nWhat to do: find the key with which it was made, before you need it.`,
      );
    const seconds = Math.round((performance.now() - began) / 1000);
    process.stdout.write(
      `${describe(manifest).join("\n")}\nThe drill succeeded: verified and restored in ${seconds} s. The backup is ${ageHours.toFixed(1)} hours old.\n`,
    );
  });
}

function readNumber(option: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(given))
    throw new UsageError(`${option} needs a whole number of at least 1.\n\n${usage}`);
  return Number(given);
}

/** Calls `work` with the file, or with a copy of standard input, since a restore reads it twice. */
async function withFile<T>(
  given: string,
  signal: AbortSignal,
  work: (file: string) => Promise<T>,
): Promise<T> {
  if (given !== "-") return work(resolve(given));
  const { home } = instanceSettings();
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(home, "restore-"));
  try {
    const file = join(folder, "backup.tar");
    await pipeline(process.stdin, createWriteStream(file, { mode: 0o600 }), { signal });
    return await work(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function chooseFile(home: string, to: string | undefined): string {
  const name = backupName(new Date());
  if (to === undefined) {
    const folder = join(home, "backups");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return join(folder, name);
  }
  const path = resolve(to);
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, name) : path;
}

function describe(manifest: Manifest): string[] {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    `Made:       ${manifest.createdAt} by Carrel ${manifest.version}`,
    `Database:   ${rows} rows of ${manifest.tables.length} tables${manifest.vectors ? ", with vectors" : ""}`,
    `Originals:  ${manifest.originals.count} files, ${shownBytes(manifest.originals.bytes)}`,
    `Key:        ${manifest.keyId}`,
  ];
}

function report({ hasKey, suffix }: Restored, config: InstanceConfig): string[] {
  return [
    "Restored. Everyone has to sign in again. After the next start, Carrel rebuilds the search indexes in the background.",
    ...(hasKey
      ? []
      : [
          "",
          "The instance key of this backup is missing, so what it encrypts can't be read:",
          "API keys of model providers and vector databases, secrets of webhooks, two-factor codes,",
          "and the event log's signing key. Carrel's own API keys, invites and recovery codes are invalid, too.",
          "What to do: before the next start, put the key that was exported into secret.key in the data",
          "folder (or CARREL_SECRET) and run ./carrel replace-secret, or enter these secrets again in the",
          "settings.",
        ]),
    ...(suffix === null
      ? []
      : [
          "",
          `The previous data is kept in database schemas that end in _${suffix}` +
            (config.S3_BUCKET === undefined
              ? ` and in ${join(config.CARREL_HOME, `blobs-${suffix}`)}.`
              : ". Originals that only it uses are deleted from the bucket after a day."),
          "docs/runbooks/restore.md says how to go back to it and how to remove it.",
        ]),
  ];
}
