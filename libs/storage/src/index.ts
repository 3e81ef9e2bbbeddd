export * from "./blob-store.ts";
export * from "./content.ts";
export { createBlobStore, type BlobStoreConfig } from "./create-blob-store.ts";
export { BLOB_STORE, openBlobStore } from "./open-blob-store.ts";
export type { S3Config } from "./s3-blob-store.ts";
export * from "./link-token.ts";
