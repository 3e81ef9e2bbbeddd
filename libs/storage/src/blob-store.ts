import type { Readable } from "node:stream";

/** Inclusive byte positions, as in HTTP's Range. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Blobs by key. Keys match `^[a-z0-9][a-z0-9/_-]*$`; `createBlobStore` checks them before any
 * driver sees them.
 */
export interface BlobStore {
  /**
   * Atomic: the blob is visible only when complete; a body that fails leaves nothing. Replaces an
   * older blob of the key.
   */
  put(key: string, body: Readable): Promise<{ bytes: number }>;
  /**
   * `bytes` is the length of what `body` gives; `body` must be read or destroyed. Throws
   * BlobMissingError.
   */
  get(key: string, range?: ByteRange): Promise<{ body: Readable; bytes: number }>;
  stat(key: string): Promise<{ bytes: number } | null>;
  /** Deleting what is not there is fine. */
  delete(key: string): Promise<void>;
  /** Replaces `to`. Throws BlobMissingError. */
  move(from: string, to: string): Promise<void>;
  /**
   * Keys that start with `prefix`, in no promised order; `updatedBefore` keeps the older ones only.
   */
  list(prefix: string, options?: { updatedBefore?: Date }): AsyncIterable<string>;
  /** Removes what puts that never ended (a crash) left before that time; gives their number. */
  removeUnfinished(before: Date): Promise<number>;
}

export class BlobMissingError extends Error {
  override readonly name = "BlobMissingError";
  constructor(readonly key: string) {
    super(`no blob under ${key}`);
  }
}

/** A key that could be a path or is not one of ours: a fault of the caller, never of a person. */
export class BlobKeyError extends Error {
  override readonly name = "BlobKeyError";
  constructor(key: string) {
    super(`not a blob key: ${JSON.stringify(key.slice(0, 80))}`);
  }
}

export class TooLargeError extends Error {
  override readonly name = "TooLargeError";
  constructor(/** bytes */ readonly limit: number) {
    super(`larger than ${limit} bytes`);
  }
}
