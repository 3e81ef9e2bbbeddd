import { createHash, randomUUID } from "node:crypto";
import { Transform, type Readable } from "node:stream";

/** Inclusive byte positions, as in HTTP's Range. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Prefix of blobs that are moved once their final key is known; a crash may lose them. */
export const temporaryPrefix = "tmp/";

/**
 * Blobs by key. Keys match `^[a-z0-9][a-z0-9/_-]*$`; `CheckedBlobStore` checks them before any
 * driver sees them.
 */
export interface BlobStore {
  /**
   * Atomic: the blob is visible only when complete, and a failing body leaves nothing behind.
   * Replaces an existing blob with the same key.
   */
  put(key: string, body: Readable): Promise<{ bytes: number }>;
  /** `bytes` is the length of `body`, which must be read or destroyed. Throws BlobMissingError. */
  get(key: string, range?: ByteRange): Promise<{ body: Readable; bytes: number }>;
  stat(key: string): Promise<{ bytes: number } | null>;
  /** Deleting a missing blob is fine. */
  delete(key: string): Promise<void>;
  /** Replaces `to`. Throws BlobMissingError. */
  move(from: string, to: string): Promise<void>;
  /**
   * Keys that start with `prefix`, in no particular order; `updatedBefore` limits them to older
   * blobs.
   */
  list(prefix: string, options?: { updatedBefore?: Date }): AsyncIterable<string>;
  /**
   * Removes what puts that were unfinished before that time (after a crash) left; returns their
   * number.
   */
  removeUnfinished(before: Date): Promise<number>;
}

export class BlobMissingError extends Error {
  override readonly name = "BlobMissingError";
  constructor(readonly key: string) {
    super(`no blob under ${key}`);
  }
}

/** The store can't be reached or isn't working; the same call may succeed later. */
export class BlobStoreUnreachableError extends Error {
  override readonly name = "BlobStoreUnreachableError";
  constructor(
    /** Name of the store, for users. */
    readonly store: string,
    cause: unknown,
  ) {
    super(`${store} can't be reached`, { cause });
  }
}

/** The store has no space left. Has the code of a full disk, so that callers need not tell them apart. */
export class BlobStoreFullError extends Error {
  override readonly name = "BlobStoreFullError";
  readonly code = "ENOSPC";
  constructor(store: string, cause: unknown) {
    super(`${store} is full`, { cause });
  }
}

/** An unsafe or malformed key, which is a bug in the caller, never a user error. */
class BlobKeyError extends Error {
  override readonly name = "BlobKeyError";
  constructor(key: string) {
    super(`not a blob key: ${JSON.stringify(key.slice(0, 80))}`);
  }
}

export class TooLargeError extends Error {
  override readonly name = "TooLargeError";
  constructor(
    /** In bytes. */
    readonly limit: number,
  ) {
    super(`larger than ${limit} bytes`);
  }
}

const keyForm = /^[a-z0-9][a-z0-9/_-]*$/;

/** Throws BlobKeyError for keys that could escape the store or name one blob in two ways. */
function checked(key: string): string {
  if (key.length > 512 || !keyForm.test(key) || key.includes("//") || key.endsWith("/"))
    throw new BlobKeyError(key);
  return key;
}

/** The only path by which keys reach a driver. */
export class CheckedBlobStore implements BlobStore {
  constructor(private readonly driver: BlobStore) {}
  async put(key: string, body: Readable) {
    return this.driver.put(checked(key), body);
  }
  async get(key: string, range?: ByteRange) {
    if (
      range &&
      !(
        Number.isSafeInteger(range.start) &&
        Number.isSafeInteger(range.end) &&
        range.start >= 0 &&
        range.end >= range.start
      )
    )
      throw new RangeError("not a range of bytes");
    return this.driver.get(checked(key), range);
  }
  async stat(key: string) {
    return this.driver.stat(checked(key));
  }
  async delete(key: string) {
    return this.driver.delete(checked(key));
  }
  async move(from: string, to: string) {
    return this.driver.move(checked(from), checked(to));
  }
  list(prefix: string, options?: { updatedBefore?: Date }) {
    if (prefix !== "") checked(prefix.replace(/\/$/, ""));
    return this.driver.list(prefix, options);
  }
  async removeUnfinished(before: Date) {
    return this.driver.removeUnfinished(before);
  }
}

const contentKey = (sha256: string): string => `original/${sha256}`;

/**
 * Streams `body` into the store under its hash, `original/<sha256>`, so identical content is stored
 * once. Throws TooLargeError above `limit` bytes. A failure leaves nothing in the store. The caller
 * drains or destroys the rest of `body`: a client only gets its 413 while its connection is open.
 */
export async function putContent(
  store: BlobStore,
  body: Readable,
  limit: number,
): Promise<{ key: string; sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  const measured = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length;
      if (bytes > limit) return done(new TooLargeError(limit));
      hash.update(piece);
      done(null, piece);
    },
  });
  // The store may still be creating its folder when the body fails; without a listener the error
  // would crash the process.
  measured.on("error", () => undefined);
  body.on("error", (fault) => measured.destroy(fault));
  // A sender that disconnects closes its stream without an end or an error.
  const gone = () => {
    if (!body.readableEnded) measured.destroy(body.errored ?? new Error("the sender went away"));
  };
  body.on("close", gone);
  // `body` may have failed before we listened, and its events won't fire again.
  if (body.destroyed) gone();
  else body.pipe(measured);
  const temporary = `${temporaryPrefix}${randomUUID()}`;
  try {
    await store.put(temporary, measured);
    const sha256 = hash.digest("hex");
    // Even if the blob already exists: the move updates its time, so that a sweeper of old,
    // unclaimed originals spares it.
    await store.move(temporary, contentKey(sha256));
    return { key: contentKey(sha256), sha256, bytes };
  } catch (fault) {
    body.unpipe(measured);
    await store.delete(temporary);
    throw fault;
  }
}

/**
 * Removes what a crash left in `tmp/` or of unfinished puts; returns the number of blobs. Run at
 * startup and daily.
 */
export async function sweepTemporary(
  store: BlobStore,
  olderThanMs = 24 * 3_600_000,
): Promise<number> {
  const updatedBefore = new Date(Date.now() - olderThanMs);
  let removed = await store.removeUnfinished(updatedBefore);
  for await (const key of store.list(temporaryPrefix, { updatedBefore })) {
    await store.delete(key);
    removed++;
  }
  return removed;
}
