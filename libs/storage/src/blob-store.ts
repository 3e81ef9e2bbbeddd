import type { Readable } from "node:stream";

/** Inclusive byte positions, as in HTTP's Range. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Keys of blobs that are moved once their final key is known; a crash may lose them. */
export const temporaryPrefix = "tmp/";

/**
 * Blobs by key. Keys match `^[a-z0-9][a-z0-9/_-]*$`; `createBlobStore` checks them before any
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
  /** Removes what unfinished puts (after a crash) left before that time; returns their number. */
  removeUnfinished(before: Date): Promise<number>;
}

export class BlobMissingError extends Error {
  override readonly name = "BlobMissingError";
  constructor(readonly key: string) {
    super(`no blob under ${key}`);
  }
}

/** The store can't be reached or is out of order; the same call may succeed later. */
export class BlobStoreUnreachableError extends Error {
  override readonly name = "BlobStoreUnreachableError";
  constructor(
    /** For users. */
    readonly store: string,
    cause: unknown,
  ) {
    super(`${store} can't be reached`, { cause });
  }
}

/** An unsafe or malformed key: a bug in the caller, never a user error. */
export class BlobKeyError extends Error {
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
