import { createHash } from "node:crypto";
import { createWriteStream, existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { gzipSync } from "node:zlib";
import type { InstanceConfig } from "@carrel/config";
import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { pack, type Headers } from "tar-stream";
import { readParts, verifyArchive } from "./archive-reader.ts";
import type { Manifest } from "./manifest.ts";
import { restoreBackup } from "./restore-backup.ts";
import { never, query, startBackupTest } from "./test-backup.ts";

let test: Awaited<ReturnType<typeof startBackupTest>>;
let target: InstanceConfig;
let manifest: Manifest;
/** The right backup's parts, by name. */
let parts: [string, Buffer][];
let crafted = "";
beforeAll(async () => {
  test = await startBackupTest();
  target = await test.instance("target");
  await query(target, "CREATE TABLE public.theirs (id integer); CREATE SEQUENCE public.numbers");
  crafted = join(test.folder, "crafted.tar");
  parts = [];
  const check = { manifest: null as Manifest | null, onCompared: () => undefined };
  for await (const { name, body } of readParts(test.file, never, check)) {
    const pieces: Buffer[] = [];
    for await (const piece of body as AsyncIterable<Buffer>) pieces.push(piece);
    parts.push([name, Buffer.concat(pieces)]);
  }
  manifest = check.manifest!;
});
beforeEach(() => {
  // What a hostile archive may have put there.
  expect(existsSync(join(test.folder, "escaped"))).toBe(false);
});
afterAll(() => test.stop());

interface Crafted {
  parts?: [string, Buffer][];
  manifest?: Partial<Manifest>;
  before?: [Headers, string?][];
  after?: [Headers, string?][];
}

/** Writes an archive whose checksums are right, like somebody who knows the format. */
async function craft(changes: Crafted): Promise<void> {
  const tar = pack();
  const written = pipeline(tar, createWriteStream(crafted));
  const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
  const own = changes.parts ?? parts;
  for (const [headers, content] of changes.before ?? []) tar.entry(headers, content ?? "");
  for (const [name, bytes] of own) tar.entry({ name }, bytes);
  const sums = own.map(([name, bytes]) => `${sha256(bytes)}  ${bytes.length}  ${name}\n`).join("");
  tar.entry({ name: "checksums/1" }, sums);
  const counts = { count: own.length, bytes: own.reduce((sum, [, { length }]) => sum + length, 0) };
  const text = JSON.stringify({ ...manifest, parts: counts, ...changes.manifest });
  tar.entry({ name: "manifest.json" }, text);
  tar.entry({ name: "manifest.json.sha256" }, `${sha256(Buffer.from(text))}\n`);
  for (const [headers, content] of changes.after ?? []) tar.entry(headers, content ?? "");
  tar.finalize();
  await written;
}

/** Why the archive isn't restored; "restored" otherwise. */
const outcome = async (): Promise<string> => {
  try {
    const read = await verifyArchive(crafted, never);
    await restoreBackup(target, { file: crafted, manifest: read, replace: true, signal: never });
    return "restored";
  } catch (error) {
    return (error as Error).message;
  }
};
const rename = (from: RegExp, to: string): [string, Buffer][] =>
  parts.map(([name, bytes]) => [from.test(name) ? to : name, bytes]);
const users = (text: string): [string, Buffer][] =>
  parts.map(([name, bytes]) => [
    name,
    name.startsWith("database/auth.user/") ? gzipSync(text) : bytes,
  ]);

it("restores an archive that was only written again", async () => {
  await craft({});
  expect(await outcome()).toBe("restored");
});

it.each<[string, RegExp, () => Crafted]>([
  [
    "a path out of the folder",
    /has an entry with the name "blobs\/\.\.\/\.\.\/escaped"/,
    () => ({ parts: rename(/^blobs/, "blobs/../../escaped") }),
  ],
  [
    "an absolute path",
    /has an entry with the name "\/etc\/escaped"/,
    () => ({ parts: rename(/^blobs/, "/etc/escaped") }),
  ],
  [
    "a symbolic link",
    /is a symlink, not a file/,
    () => ({ before: [[{ name: "blobs/a", type: "symlink", linkname: "/etc/passwd" }]] }),
  ],
  [
    "a hard link",
    /is a link, not a file/,
    () => ({ before: [[{ name: "blobs/a", type: "link", linkname: "/etc/passwd" }]] }),
  ],
  [
    "a folder",
    /is a directory, not a file/,
    () => ({ before: [[{ name: "blobs/a", type: "directory" }]] }),
  ],
  [
    "a part after the manifest",
    /follows the manifest, which comes last/,
    () => ({ after: [[{ name: "blobs/late" }, "late"]] }),
  ],
  [
    "a second manifest",
    /follows the manifest, which comes last/,
    () => ({ after: [[{ name: "manifest.json" }, "{}"]] }),
  ],
  [
    "a list of checksums that is too long",
    /checksums\/9 is too long/,
    () => ({ before: [[{ name: "checksums/9" }, "x".repeat(65 * 1024 * 1024)]] }),
  ],
  [
    "another program's table",
    /contains the table public\.theirs, which isn't Carrel's/,
    () => ({
      manifest: {
        tables: [
          ...manifest.tables,
          { schema: "public", table: "theirs", columns: ["id"], rows: 0 },
        ],
      },
    }),
  ],
  [
    "a table of PostgreSQL",
    /contains the table pg_catalog\.pg_authid/,
    () => ({
      manifest: {
        tables: [
          ...manifest.tables,
          { schema: "pg_catalog", table: "pg_authid", columns: ["rolname"], rows: 0 },
        ],
      },
    }),
  ],
  [
    "a table twice",
    /names the table auth\.\w+ twice/,
    () => ({ manifest: { tables: [...manifest.tables, manifest.tables[0]!] } }),
  ],
  [
    "a column that isn't ours",
    /contains the column auth\.user\.theirs/,
    () => ({
      manifest: {
        tables: manifest.tables.map((one) =>
          one.schema === "auth" && one.table === "user"
            ? { ...one, columns: [...one.columns, "theirs"] }
            : one,
        ),
      },
    }),
  ],
  [
    "another program's sequence",
    /contains the sequence public\.numbers/,
    () => ({
      manifest: {
        sequences: [{ schema: "public", name: "numbers", last: "9", isCalled: true }],
      },
    }),
  ],
  [
    "a table's parts in the wrong order",
    /database\/auth\.user\/000002\.gz is out of order/,
    () => ({ parts: rename(/^database\/auth\.user\//, "database/auth.user/000002.gz") }),
  ],
  [
    "a part that comes again",
    /is out of order/,
    () => ({ parts: [...parts, parts.find(([name]) => name.startsWith("database/auth.user/"))!] }),
  ],
  [
    "more rows than it says, however many",
    /auth\.user has more than its 1 rows/,
    () => ({ parts: users("\n".repeat(50_000_000)) }),
  ],
  [
    "values that a table can't have",
    /PostgreSQL refuses its data/,
    () => ({ parts: users("not a row\\n") }),
  ],
  [
    "a part that can't be unpacked",
    /database\/auth\.user\/000001\.gz can't be unpacked/,
    () => ({
      parts: parts.map(([name, bytes]) => [
        name,
        name.startsWith("database/auth.user/") ? Buffer.from("not gzip") : bytes,
      ]),
    }),
  ],
])("refuses %s, and changes nothing", async (_what, message, changes) => {
  await craft(changes());
  expect(await outcome()).toMatch(message);
  expect(await query(target, `SELECT username FROM auth."user"`)).toEqual([{ username: "ana" }]);
  expect(await query(target, "SELECT id FROM public.theirs")).toEqual([]);
});

it("says so if the file is another one or was cut off", async () => {
  writeFileSync(crafted, readFileSync(new URL(import.meta.url)));
  expect(await outcome()).toMatch(
    /can't be read.*\nWhat to do: check that .*crafted\.tar is a backup/,
  );
  await craft({});
  truncateSync(crafted, 4_096);
  expect(await outcome()).toMatch(/can't be read|isn't a complete backup/);
});
