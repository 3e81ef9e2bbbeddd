import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createBlobStore, putContent, sweepTemporary, type BlobStore } from "@carrel/storage";
import { startFakeS3, type FakeS3 } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";

jest.setTimeout(60_000);
/** Also runs against a real S3, in an existing bucket: `http://key:secret@host:9000/bucket`. */
const realS3 = process.env.TEST_S3_URL;
let root: string;
let s3: FakeS3;
const stores: Record<string, BlobStore> = {};
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "carrel-blobs-"));
  s3 = await startFakeS3();
  stores.disk = createBlobStore({ kind: "disk", root });
  stores.s3 = createBlobStore({
    kind: "s3",
    bucket: "docs",
    endpoint: s3.url,
    accessKeyId: "key",
    secretAccessKey: "secret",
    prefix: "carrel/",
  });
  if (realS3) {
    const { origin, username, password, pathname } = new URL(realS3);
    stores["real s3"] = createBlobStore({
      kind: "s3",
      bucket: pathname.slice(1),
      endpoint: origin,
      accessKeyId: username,
      secretAccessKey: decodeURIComponent(password),
      prefix: `test-${randomUUID()}/`,
    });
  }
});
afterAll(async () => {
  await s3.stop();
  await rm(root, { recursive: true, force: true });
});

const of = (...pieces: (Buffer | string)[]) =>
  Readable.from(pieces.map((piece) => Buffer.from(piece)));
/** Sends some bytes and then fails, or just closes. */
function failing(bytes: number, how: "error" | "close"): Readable {
  let sent = 0;
  return new Readable({
    read() {
      if (sent >= bytes) {
        this.destroy(how === "error" ? new Error("line lost") : undefined);
        return;
      }
      sent += 65_536;
      this.push(randomBytes(65_536));
    },
  });
}
async function list(store: BlobStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list(prefix)) keys.push(key);
  return keys.sort();
}
const read = async (store: BlobStore, key: string, range?: { start: number; end: number }) =>
  (await buffer((await store.get(key, range)).body)).toString();

// The S3 driver runs against a small fake server (@carrel/testing).
describe.each(["disk", "s3", ...(realS3 ? ["real s3"] : [])])("%s", (kind) => {
  const store = () => stores[kind]!;

  it("puts, gets, replaces, stats and deletes", async () => {
    expect(await store().put("a/one", of("hello ", "world"))).toEqual({ bytes: 11 });
    expect(await read(store(), "a/one")).toBe("hello world");
    expect(await store().stat("a/one")).toEqual({ bytes: 11 });
    await store().put("a/one", of("new"));
    expect(await read(store(), "a/one")).toBe("new");
    await store().delete("a/one");
    await store().delete("a/one");
    expect(await store().stat("a/one")).toBeNull();
    await expect(store().get("a/one")).rejects.toMatchObject({
      name: "BlobMissingError",
      key: "a/one",
    });
    expect(await store().put("a/empty", of())).toEqual({ bytes: 0 });
    expect(await read(store(), "a/empty")).toBe("");
  });

  it("returns ranges, and nothing after the end", async () => {
    await store().put("r", of("0123456789"));
    expect(await read(store(), "r", { start: 2, end: 4 })).toBe("234");
    const { body, bytes } = await store().get("r", { start: 7, end: 99 });
    body.destroy();
    expect(bytes).toBe(3);
    expect(await read(store(), "r", { start: 7, end: 99 })).toBe("789");
    expect(await store().get("r", { start: 50, end: 60 })).toMatchObject({ bytes: 0 });
    await expect(store().get("r", { start: 4, end: 2 })).rejects.toBeInstanceOf(RangeError);
    await expect(store().get("r", { start: -1, end: 2 })).rejects.toBeInstanceOf(RangeError);
  });

  it("moves and lists by prefix", async () => {
    for (const key of ["l/a", "l/ab", "l/b/c", "m/a"]) await store().put(key, of(key));
    expect(await list(store(), "l/")).toEqual(["l/a", "l/ab", "l/b/c"]);
    expect(await list(store(), "l/a")).toEqual(["l/a", "l/ab"]);
    expect(await list(store(), "none/")).toEqual([]);
    await store().move("l/a", "n/x");
    expect([await store().stat("l/a"), await read(store(), "n/x")]).toEqual([null, "l/a"]);
    await expect(store().move("l/gone", "n/y")).rejects.toMatchObject({ name: "BlobMissingError" });
  });

  it("stores large blobs completely (in several parts on S3)", async () => {
    const piece = randomBytes(1_000_000);
    expect(
      await store().put("large", Readable.from(Array.from({ length: 20 }, () => piece))),
    ).toEqual({ bytes: 20_000_000 });
    const { body, bytes } = await store().get("large");
    expect([bytes, (await buffer(body)).subarray(19_000_000).equals(piece)]).toEqual([
      20_000_000,
      true,
    ]);
  });

  it("leaves nothing when a body fails, and keeps the existing blob", async () => {
    await store().put("keep", of("old"));
    await expect(store().put("keep", failing(20_000_000, "error"))).rejects.toThrow("line lost");
    expect(await read(store(), "keep")).toBe("old");
    expect(await store().removeUnfinished(new Date(Date.now() + 60_000))).toBe(0);
  });

  it.each([
    "../etc/passwd",
    "a/../../b",
    "/abs",
    "a//b",
    "a/",
    "",
    "A",
    "a.b",
    "a\\b",
    "a\0b",
    "ä",
    "-a",
    "a b",
    "x".repeat(600),
    ".incoming/x",
    "a/.incoming",
  ])("rejects the key %j everywhere", async (key) => {
    for (const call of [
      () => store().put(key, of("x")),
      () => store().get(key),
      () => store().stat(key),
      () => store().delete(key),
      () => store().move(key, "ok"),
      () => store().move("ok", key),
    ])
      await expect(call()).rejects.toMatchObject({ name: "BlobKeyError" });
  });

  it("putContent: stores content under its hash, identical bytes once", async () => {
    const first = await putContent(store(), of("the same ", "bytes"), 100);
    const sha256 = createHash("sha256").update("the same bytes").digest("hex");
    expect(first).toEqual({ key: `original/${sha256}`, sha256, bytes: 14 });
    expect(await putContent(store(), of("the same bytes"), 14)).toEqual(first);
    expect(await list(store(), "original/")).toEqual([first.key]);
    expect(await list(store(), "tmp/")).toEqual([]);
  });

  it("putContent: leaves nothing after exceeding the limit, a failing or a disconnecting sender", async () => {
    const before = await list(store(), "");
    await expect(
      putContent(store(), failing(50_000_000, "error"), 1_000_000),
    ).rejects.toMatchObject({ name: "TooLargeError", limit: 1_000_000 });
    await expect(putContent(store(), failing(10_000_000, "error"), 1e9)).rejects.toThrow(
      "line lost",
    );
    await expect(putContent(store(), failing(10_000_000, "close"), 1e9)).rejects.toThrow();
    const failedBefore = failing(1, "error").destroy(new Error("cut before it was read"));
    await new Promise((done) => failedBefore.once("error", done));
    await expect(putContent(store(), failedBefore, 1e9)).rejects.toThrow("cut before it was read");
    expect(await list(store(), "")).toEqual(before);
    expect(await store().removeUnfinished(new Date(Date.now() + 60_000))).toBe(0);
  });

  it("sweepTemporary removes old blobs in tmp/ and nothing else", async () => {
    await store().put("tmp/left", of("x"));
    expect(await sweepTemporary(store(), 60_000)).toBe(0);
    expect(await sweepTemporary(store(), -60_000)).toBe(1);
    expect(await store().stat("tmp/left")).toBeNull();
    expect(await store().stat("keep")).not.toBeNull();
  });
});

// MinIO doesn't list a key below another one; Carrel doesn't store any such key there.
it.each(["disk", "s3"])("%s: a key may be the folder of another", async (kind) => {
  const store = stores[kind]!;
  for (const key of ["f/a", "f/a/b"]) await store.put(key, of(key));
  expect(await list(store, "f/")).toEqual(["f/a", "f/a/b"]);
});

it("disk: sweeps a killed process's unfinished writes and keeps running ones", async () => {
  await stores.disk!.put("x", of("x"));
  const left = join(root, ".incoming", "half");
  await writeFile(left, "half a blob");
  expect(await sweepTemporary(stores.disk!)).toBe(0);
  await utimes(left, new Date(0), new Date(0));
  expect(await sweepTemporary(stores.disk!)).toBe(1);
  expect(await readdir(join(root, ".incoming"))).toEqual([]);
});

it("s3: signs requests, uploads large blobs in parts and aborts a failed upload", async () => {
  expect(
    s3.requests.every(({ authorization }) =>
      authorization?.startsWith("AWS4-HMAC-SHA256 Credential=key/"),
    ),
  ).toBe(true);
  expect(
    s3.requests.some(({ method, query }) => method === "PUT" && query.includes("partNumber=3")),
  ).toBe(true);
  expect(
    s3.requests.some(({ method, query }) => method === "DELETE" && query.includes("uploadId=")),
  ).toBe(true);
  expect(s3.openUploads()).toBe(0);
});

it("s3: says that a bucket is full with the code of a full disk", async () => {
  s3.isFull = true;
  try {
    await expect(putContent(stores.s3!, of("too much"), 100)).rejects.toMatchObject({
      code: "ENOSPC",
      message: "S3 is full",
    });
  } finally {
    s3.isFull = false;
  }
});
