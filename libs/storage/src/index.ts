export {
  BlobMissingError,
  BlobStoreUnreachableError,
  putContent,
  sweepTemporary,
  temporaryPrefix,
  TooLargeError,
  type BlobStore,
} from "./blob-store.ts";
export { BLOB_STORE, createBlobStore, openBlobStore } from "./open-blob-store.ts";
export * from "./link-token.ts";
