import type { Readable } from "node:stream";
import { BlobKeyError, type BlobStore, type ByteRange } from "./blob-store.ts";
import { DiskBlobStore } from "./disk-blob-store.ts";
import { S3BlobStore, type S3Config } from "./s3-blob-store.ts";

export type BlobStoreConfig =
  | {
      kind: "disk";
      /** Folder, created if missing. */
      root: string;
    }
  | S3Config;

const keyForm = /^[a-z0-9][a-z0-9/_-]*$/;

/** Throws BlobKeyError for keys that could escape the store or name one blob in two ways. */
function checked(key: string): string {
  if (key.length > 512 || !keyForm.test(key) || key.includes("//") || key.endsWith("/"))
    throw new BlobKeyError(key);
  return key;
}

/** The only path by which keys reach a driver. */
class CheckedBlobStore implements BlobStore {
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

export function createBlobStore(config: BlobStoreConfig): BlobStore {
  return new CheckedBlobStore(
    config.kind === "s3" ? new S3BlobStore(config) : new DiskBlobStore(config.root),
  );
}
