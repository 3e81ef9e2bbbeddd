import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { instanceSecret, Secret, secretFingerprint, type InstanceConfig } from "@carrel/config";
import { migrate, recordFingerprint } from "@carrel/database";
import { openBlobStore, putContent } from "@carrel/storage";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import pg from "pg";
import { verifyArchive } from "./archive-reader.ts";
import { ArchiveWriter } from "./archive-writer.ts";
import { createBackup, keyIdOf } from "./create-backup.ts";
import { unknownMigrations } from "./load-database.ts";
import { restoreBackup } from "./restore-backup.ts";
import { databases } from "./service-databases.ts";
import { never, query, startBackupTest } from "./test-backup.ts";

let test: Awaited<ReturnType<typeof startBackupTest>>;
let [folder, file, originalKey] = ["", "", ""];
let source: InstanceConfig;
beforeAll(async () => {
  test = await startBackupTest();
  ({ folder, file, originalKey, source } = test);
});
afterAll(() => test.stop());

/** Everything the services' schemas are made of, with its owner. */
const structure = (config: InstanceConfig) =>
  query<{ part: string }>(
    config,
    `WITH ours AS (
      SELECT oid, nspname FROM pg_namespace
      WHERE nspname IN ('auth', 'workspace', 'ingest', 'connectors', 'sync_worker', 'chat')
    )
    SELECT concat_ws(' ', nspname, relname, relkind, attname, format_type(atttypid, atttypmod),
      attnotnull, attidentity, pg_get_expr(adbin, adrelid),
      substring(pg_get_userbyid(relowner) FROM '_[a-z]+$')) AS part
    FROM ours JOIN pg_class c ON relnamespace = ours.oid
    LEFT JOIN pg_attribute a ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE relname !~ '(^|_)migration|^PK_'
    UNION ALL
    SELECT concat_ws(' ', nspname, conrelid::regclass, conname, pg_get_constraintdef(k.oid),
      convalidated)
    FROM ours JOIN pg_constraint k ON connamespace = ours.oid
    WHERE conrelid::regclass::text NOT LIKE '%.migration'
    UNION ALL
    SELECT concat_ws(' ', nspname, pg_get_triggerdef(t.oid), tgenabled)
    FROM ours JOIN pg_class c ON relnamespace = ours.oid JOIN pg_trigger t ON tgrelid = c.oid
    WHERE NOT tgisinternal
    UNION ALL
    SELECT concat_ws(' ', nspname, indexdef) FROM ours JOIN pg_indexes ON schemaname = nspname
    WHERE tablename <> 'migration'
    ORDER BY 1`,
  );

describe("a backup", () => {
  it("is only for its owner, and contains no key", async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file).includes(instanceSecret(source).reveal())).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith(".partial"))).toEqual([]);
    expect(await verifyArchive(file, never)).toMatchObject({
      vectors: true,
      originals: { count: 1, bytes: 27 },
    });
  });

  it("leaves out vectors unless they are asked for", async () => {
    const without = join(folder, "without.tar");
    const manifest = await createBackup(source, { file: without, vectors: false, signal: never });
    expect(manifest.tables.map(({ table }) => table)).not.toContain("embedding_cache");
  });

  it("isn't left unfinished when it is interrupted", async () => {
    const interrupted = join(folder, "interrupted.tar");
    const stop = new AbortController();
    const backup = createBackup(source, {
      file: interrupted,
      vectors: true,
      signal: stop.signal,
    });
    stop.abort();
    await expect(backup).rejects.toThrow();
    expect(readdirSync(folder).filter((name) => name.startsWith("interrupted"))).toEqual([]);
  });

  it("removes what a killed one left, but not what another one is writing", async () => {
    const [killed, busy] = [2 ** 22, process.ppid].map((pid) =>
      join(folder, `other.tar.${pid}@${hostname()}.partial`),
    ) as [string, string];
    for (const name of [killed, busy]) appendFileSync(name, "unfinished");
    // Listed but not found, like a file that another machine renames in between.
    symlinkSync("renamed", join(folder, "remote.tar.7@elsewhere.partial"));
    const next = join(folder, "next.tar");
    await createBackup(source, { file: next, vectors: false, signal: never });
    expect([existsSync(killed), existsSync(busy), existsSync(next)]).toEqual([false, true, true]);
  });

  it("can't run statements through names in its manifest", async () => {
    const crafted = join(folder, "crafted.tar");
    const archive = new ArchiveWriter(crafted, never);
    const { parts: _, ...manifest } = await verifyArchive(file, never);
    const tables = [{ ...manifest.tables[0]!, columns: [`id") FROM PROGRAM 'id'; --`] }];
    await archive.finish({ ...manifest, tables });
    await expect(verifyArchive(crafted, never)).rejects.toThrow("damaged");
  });

  it("that was changed or cut off isn't accepted", async () => {
    const damaged = join(folder, "damaged.tar");
    copyFileSync(file, damaged);
    const bytes = readFileSync(damaged);
    const at = bytes.indexOf("The original of the report.");
    bytes.write("the", at);
    truncateSync(damaged);
    appendFileSync(damaged, bytes);
    await expect(verifyArchive(damaged, never)).rejects.toThrow(
      `blobs/${originalKey} is missing or was changed`,
    );
    truncateSync(damaged, at);
    await expect(verifyArchive(damaged, never)).rejects.toThrow("can't be read");
    truncateSync(damaged, 0);
    await expect(verifyArchive(damaged, never)).rejects.toThrow("isn't a complete backup");
  });

  it("of a newer version is recognised by its migrations", async () => {
    const manifest = await verifyArchive(file, never);
    expect(unknownMigrations(manifest)).toEqual([]);
    manifest.migrations.chat!.push("Later1999999999999");
    expect(unknownMigrations(manifest)).toEqual(["Later1999999999999"]);
  });
});

describe("a restore", () => {
  let target: InstanceConfig;
  beforeAll(async () => {
    target = await test.instance("target");
  });

  it("gives an empty instance data, originals and this version's structure", async () => {
    const current = await test.instance("current");
    for (const database of databases) await migrate(current.DATABASE_URL, database);
    expect(await test.restore(target)).toMatchObject({ suffix: null });
    const parts = await structure(target);
    expect(parts.length).toBeGreaterThan(500);
    const withoutOwner = ({ part }: { part: string }) => part.replace(/ _[a-z]+$/, "");
    expect(parts.map(withoutOwner)).toEqual((await structure(current)).map(withoutOwner));
    expect(await query(target, `SELECT username FROM auth."user"`)).toEqual([{ username: "ana" }]);
    expect(
      await query(target, `SELECT value FROM workspace.preference WHERE label LIKE 'tab%'`),
    ).toEqual(
      await query(source, `SELECT value FROM workspace.preference WHERE label LIKE 'tab%'`),
    );
    expect(await query(target, `SELECT vector FROM ingest.embedding_cache`)).toEqual([
      { vector: Buffer.from("00ff", "hex") },
    ]);
    expect((await openBlobStore(target).stat(originalKey))?.bytes).toBe(27);
    // Nobody stays signed in, and new rows continue the numbering.
    expect(await query(target, "SELECT 1 FROM auth.session")).toEqual([]);
    expect(
      await query(
        target,
        `INSERT INTO auth."user" (username, password_hash, role) VALUES ('bo', 'hash', 'admin') RETURNING id`,
      ),
    ).toEqual([{ id: 2 }]);
  });

  it("refuses an instance with data", async () => {
    await expect(test.restore(target)).rejects.toThrow("has data already");
  });

  it("changes nothing when it is interrupted", async () => {
    const stop = new AbortController();
    stop.abort();
    await expect(test.restore(target, { replace: true, signal: stop.signal })).rejects.toThrow();
    expect(await query(target, `SELECT username FROM auth."user" ORDER BY id`)).toHaveLength(2);
    expect(
      await query(target, "SELECT 1 FROM pg_namespace WHERE nspname LIKE 'auth_replaced%'"),
    ).toEqual([]);
  });

  it("changes nothing when Carrel starts meanwhile", async () => {
    const service = new pg.Client(target.DATABASE_URL);
    await service.connect();
    const manifest = await verifyArchive(file, never);
    const { sequences } = manifest;
    // Read once all rows are loaded, hundreds of statements before the end.
    Object.defineProperty(manifest, "sequences", {
      get: () => {
        void service.query("SET application_name = 'carrel chat'");
        return sequences;
      },
    });
    await expect(
      restoreBackup(target, { file, manifest, replace: true, signal: never }),
    ).rejects.toThrow("still running: chat");
    await service.end();
    expect(await query(target, `SELECT username FROM auth."user" ORDER BY id`)).toHaveLength(2);
  });

  it("keeps the replaced data beside the restored data", async () => {
    const added = await putContent(openBlobStore(target), Readable.from(["later"]), 1000);
    const { suffix } = await test.restore(target, { replace: true });
    expect(await query(target, `SELECT username FROM auth."user"`)).toEqual([{ username: "ana" }]);
    expect(await query(target, `SELECT username FROM auth_${suffix}."user" ORDER BY id`)).toEqual([
      { username: "ana" },
      { username: "bo" },
    ]);
    const kept = join(target.CARREL_HOME, `blobs-${suffix}`, `${added.key}.blob`);
    expect(readFileSync(kept, "utf8")).toBe("later");
  });

  it("needs the right key to read what is encrypted", async () => {
    const right = join(source.CARREL_HOME, "secret.key");
    const wrong = join(target.CARREL_HOME, "secret.key");
    instanceSecret(target);
    expect(await test.restore(target, { replace: true })).toMatchObject({ hasKey: false });
    await expect(test.restore(target, { replace: true, keyFile: wrong })).rejects.toThrow(
      "isn't the key of this backup's instance",
    );
    const { hasKey, suffix } = await test.restore(target, { replace: true, keyFile: right });
    expect(hasKey).toBe(true);
    expect(readFileSync(wrong, "utf8")).toBe(readFileSync(right, "utf8"));
    expect(existsSync(`${wrong}-${suffix}`)).toBe(true);
  });

  it("names the key of the secret that the database belongs to while it is rotated", async () => {
    const previous = instanceSecret(source);
    const next = new Secret("the next secret, of 32 characters and more");
    const secrets = { CARREL_SECRET: next, CARREL_SECRET_OTHER: previous };
    const between = join(folder, "between.tar");
    await recordFingerprint(source.DATABASE_URL, secretFingerprint(previous));
    const manifest = await createBackup(
      { ...source, ...secrets },
      { file: between, vectors: false, signal: never },
    );
    expect(manifest.keyId).toBe(keyIdOf(previous));
    const restored = await restoreBackup(
      { ...target, ...secrets },
      { file: between, manifest, replace: true, signal: never },
    );
    expect(restored.hasKey).toBe(true);
    // Services that don't accept this secret any more refuse to start.
    expect(await query(target, "SELECT fingerprint FROM carrel_instance.secret")).toEqual([
      { fingerprint: secretFingerprint(previous) },
    ]);
    await recordFingerprint(source.DATABASE_URL, secretFingerprint(next));
    const after = await createBackup(
      { ...source, ...secrets },
      { file: join(folder, "after.tar"), vectors: false, signal: never },
    );
    expect(after.keyId).toBe(keyIdOf(next));
  });
});
