import { join } from "node:path";
import type { ProcessConfig } from "@carrel/config";
import { CheckedBlobStore, type BlobStore } from "./blob-store.ts";
import { DiskBlobStore } from "./disk-blob-store.ts";
import { S3BlobStore, type S3Config } from "./s3-blob-store.ts";

export type BlobStoreConfig =
  | {
      kind: "disk";
      /** Folder, created if missing. */
      root: string;
    }
  | S3Config;

/** Injection token of the instance's blob store. */
export const BLOB_STORE = Symbol("BLOB_STORE");

/**
 * The instance's blob store: the S3 bucket if one is configured, otherwise `blobs` in the data
 * folder.
 */
export function openBlobStore(config: ProcessConfig): BlobStore {
  if (config.S3_BUCKET === undefined)
    return createBlobStore({ kind: "disk", root: join(config.CARREL_HOME, "blobs") });
  return createBlobStore({
    kind: "s3",
    bucket: config.S3_BUCKET,
    region: config.S3_REGION,
    endpoint: config.S3_ENDPOINT,
    accessKeyId: config.S3_ACCESS_KEY_ID,
    secretAccessKey: config.S3_SECRET_ACCESS_KEY?.reveal(),
    forcePathStyle: config.S3_FORCE_PATH_STYLE,
    prefix: config.S3_PREFIX,
  });
}

export function createBlobStore(config: BlobStoreConfig): BlobStore {
  return new CheckedBlobStore(
    config.kind === "s3" ? new S3BlobStore(config) : new DiskBlobStore(config.root),
  );
}
