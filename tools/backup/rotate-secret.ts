import { randomBytes } from "node:crypto";
import { existsSync, linkSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  acceptedKeys,
  acceptedSecrets,
  findSecret,
  nextKeyFile,
  otherSecret,
  secretFingerprint,
  secretMark,
  type InstanceConfig,
  type Secret,
} from "@carrel/config";
import { AnotherSecretError, moveToSecret, SecretBox } from "@carrel/database";
import { listAccepted, replaceSecretNote } from "@carrel/messaging";
import { proofsOf } from "@carrel/runtime";
import pg from "pg";
import { PlainError, say } from "../terminal.ts";
import { separateServers, withInstance } from "./instance.ts";
import { refuseRunning } from "./load-database.ts";
import { previousKeyPrefix } from "./previous-key.ts";
import { countLeft, reseal, type SealedColumn } from "./reseal.ts";
import { databases } from "./service-databases.ts";

/** A run finds nothing to do after the first, unless rows changed while it read them. */
const maxRuns = 10;
const schemas = databases.map(({ schema }) => schema);

/**
 * `./carrel rotate-secret` (docs/runbooks/rotate-secrets.md): makes the database belong to the
 * instance's new secret, and seals everything again that the previous one sealed. With
 * `CARREL_SECRET` and `CARREL_SECRET_OTHER`, while Carrel runs; with a key file, while it is stopped.
 * May be killed and repeated at any time.
 */
export async function rotateSecret(args: readonly string[]): Promise<void> {
  if (args.length > 0)
    throw new PlainError(
      "./carrel rotate-secret takes no arguments: the new secret is CARREL_SECRET and the previous one CARREL_SECRET_OTHER, or it replaces secret.key in the data folder.",
    );
  const separate = separateServers();
  if (separate?.CARREL_SECRET !== undefined) return rotateGiven(separate);
  await withInstance((config) =>
    config.CARREL_SECRET === undefined ? rotateKeyFile(config) : rotateGiven(config),
  );
}

async function rotateGiven(config: InstanceConfig): Promise<void> {
  if (acceptedSecrets(config).length < 2)
    throw new PlainError(
      "CARREL_SECRET_OTHER isn't set, or is the same as CARREL_SECRET.\nWhat to do: set CARREL_SECRET to the new secret and CARREL_SECRET_OTHER to the previous one, for all processes and for this command: docs/runbooks/rotate-secrets.md.",
    );
  report(await moveInstance(config));
  process.stdout.write(
    "What to do now: remove CARREL_SECRET_OTHER and restart every process. Sessions that began before the rotation end then; everything else stays valid. Keep the previous secret for as long as you keep backups made before now.\n",
  );
}

/**
 * With a key file: the next secret is in a file of its own until the end, so that a start in between
 * accepts both.
 */
export async function rotateKeyFile(config: InstanceConfig): Promise<void> {
  if (config.CARREL_SECRET_OTHER !== undefined)
    throw new PlainError(
      "CARREL_SECRET_OTHER is set, but CARREL_SECRET isn't. Nothing was changed.\nWhat to do: to replace secret.key, unset CARREL_SECRET_OTHER; otherwise set CARREL_SECRET to the new secret: docs/runbooks/rotate-secrets.md.",
    );
  const previous = findSecret(config);
  if (previous === null)
    throw new PlainError(
      `There is no secret to rotate: ${join(config.CARREL_HOME, "secret.key")} doesn't exist.\nWhat to do: set CARREL_HOME to the data folder of the instance.`,
    );
  await refuseRunning(config.DATABASE_URL);
  const file = nextKeyFile(config);
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${randomBytes(32).toString("base64url")}\n`, {
      mode: 0o600,
      flush: true,
    });
    renameSync(draft, file);
  }
  const next = otherSecret({ CARREL_HOME: config.CARREL_HOME })!;
  report(await moveInstance({ ...config, CARREL_SECRET: next, CARREL_SECRET_OTHER: previous }));
  const kept = keptKeyFile(config, previous);
  if (!existsSync(kept)) linkSync(join(config.CARREL_HOME, "secret.key"), kept);
  renameSync(file, join(config.CARREL_HOME, "secret.key"));
  process.stdout.write(
    `The new secret is in secret.key. The previous one is in ${kept}: keep it, outside this machine, for as long as you keep backups made before now. Everyone has to sign in again; API keys, invites and links stay valid.\n`,
  );
}

const keptKeyFile = ({ CARREL_HOME }: InstanceConfig, previous: Secret): string =>
  join(CARREL_HOME, `${previousKeyPrefix}${secretMark(secretFingerprint(previous))}`);

/**
 * Moves an instance from its second accepted secret to the first. Returns what was sealed. Refuses
 * if a connected process doesn't seal with the first, because it would be locked out or would keep
 * sealing with the previous secret.
 */
export async function moveInstance(config: InstanceConfig): Promise<SealedColumn[]> {
  await refuseOtherProcesses(config);
  const client = new pg.Client({
    connectionString: config.DATABASE_URL,
    application_name: "carrel rotation",
  });
  await client.connect();
  try {
    const box = new SecretBox(...acceptedKeys(config, "columns"));
    await refuseUnkeptHashKeys(client, box);
    say("Moving the database to the new secret");
    await moveToSecret(config.DATABASE_URL, schemas, proofsOf(config)).catch((error: Error) => {
      throw error instanceof AnotherSecretError
        ? new PlainError(
            "This database belongs to neither CARREL_SECRET nor CARREL_SECRET_OTHER. Nothing was changed.",
          )
        : error;
    });
    const [{ fingerprint }] = proofsOf(config);
    await replaceSecretNote(config.REDIS_URL, fingerprint);
    say("Sealing what the previous secret sealed again");
    const total = await resealAll(client, box);
    await refuseOtherProcesses(config);
    return total;
  } finally {
    await client.end();
  }
}

/** Repeats until nothing that the previous key sealed is left, apart from rows that can't change. */
async function resealAll(client: pg.Client, box: SecretBox): Promise<SealedColumn[]> {
  const resealed = new Map<string, number>();
  for (let run = 1; run <= maxRuns; run++) {
    const found = await reseal(client, schemas, box);
    for (const each of found)
      resealed.set(each.column, (resealed.get(each.column) ?? 0) + each.resealed);
    if (found.some((each) => each.previous > 0)) continue;
    const left = await countLeft(client, schemas, box);
    for (const { column, refused } of found)
      if ((left.get(column) ?? 0) <= refused) left.delete(column);
    if (left.size === 0)
      return found.map((each) => ({ ...each, resealed: resealed.get(each.column) ?? 0 }));
  }
  throw new PlainError(
    "Something keeps sealing with the previous secret.\nWhat to do: restart every process with the new CARREL_SECRET, then run the same command again.",
  );
}

/** The keys of hashes are kept at the first start of a version that does. */
async function refuseUnkeptHashKeys(client: pg.Client, box: SecretBox): Promise<void> {
  for (const table of ["auth.hash_key", "chat.hash_key"]) {
    const {
      rows: [found],
    } = await client.query<{ exists: boolean }>("SELECT to_regclass($1) IS NOT NULL AS exists", [
      table,
    ]);
    const rows = found?.exists
      ? (await client.query<{ sealed: string }>(`SELECT sealed FROM ${table}`)).rows
      : [];
    if (!rows.some(({ sealed }) => opens(box, sealed)))
      throw new PlainError(
        "The keys of API keys, invites and links aren't kept yet, so they would become invalid. Nothing was changed.\nWhat to do: start this version of Carrel once, with the previous secret accepted, then run the same command again.",
      );
  }
}

function opens(box: SecretBox, sealed: string): boolean {
  try {
    box.open(sealed);
    return true;
  } catch {
    return false;
  }
}

async function refuseOtherProcesses(config: InstanceConfig): Promise<void> {
  const [mine, ...others] = acceptedSecrets(config).map((secret) =>
    secretMark(secretFingerprint(secret)),
  );
  const connected = await listAccepted(config.REDIS_URL);
  // A version that doesn't name its secrets can't accept two.
  const late = connected.filter(
    ([first, ...rest]) =>
      first === undefined ||
      (first !== mine && [first, ...rest].some((each) => each === mine || others.includes(each))),
  );
  if (late.length > 0)
    throw new PlainError(
      `${late.length} running ${late.length === 1 ? "process uses" : "processes use"} the previous secret, or an older version of Carrel.\nWhat to do: restart every process with the new CARREL_SECRET, and the previous one as CARREL_SECRET_OTHER, then run the same command again.`,
    );
}

function report(columns: readonly SealedColumn[]): void {
  const sum = (of: (column: SealedColumn) => number): number =>
    columns.reduce((total, column) => total + of(column), 0);
  const width = Math.max(...columns.map(({ column }) => column.length), 0);
  const lines = columns
    .filter(({ resealed, unreadable }) => resealed + unreadable > 0)
    .map(
      ({ column, resealed, unreadable }) =>
        `  ${column.padEnd(width)}  ${resealed}${unreadable > 0 ? `, unreadable: ${unreadable}` : ""}`,
    );
  process.stdout.write(
    [
      `Sealed again with the new secret: ${sum(({ resealed }) => resealed)}`,
      ...lines,
      "Nothing that the previous secret sealed is left.",
      ...(sum(({ unreadable }) => unreadable) > 0
        ? [
            "Unreadable values are damaged, were sealed with a third secret before this rotation, or are in texts that can't change. If they are settings, enter them again.",
          ]
        : []),
      "",
    ].join("\n"),
  );
}
