export * from "./blob-store.ts";
export * from "./content.ts";
export { createBlobStore } from "./create-blob-store.ts";
export { BLOB_STORE, openBlobStore } from "./open-blob-store.ts";
export * from "./link-token.ts";
