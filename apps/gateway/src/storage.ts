import { join } from "node:path";
import type { InstanceConfig } from "@carrel/config";
import { createBlobStore, type BlobStore } from "@carrel/storage";

/** Token of the blob store. */
export const BLOB_STORE = Symbol("BLOB_STORE");

/**
 * The bucket where one is named, else the folder `blobs` of the data folder: the same as ingest's.
 */
export function openBlobStore(config: InstanceConfig): BlobStore {
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
