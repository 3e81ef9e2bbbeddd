import type { LanceOptions } from "./lance-store.ts";
import type { VectorStore } from "./vector-store.ts";

export { inverseDocumentFrequency, termWeight } from "./bm25.ts";
export { checkVectorStore, openVectorStore } from "./open-vector-store.ts";
export {
  chosenStore,
  isSharedStore,
  textPlace,
  triedSettings,
  vectorFields,
  vectorPlace,
  vectorProviders,
} from "./registry.ts";
export * from "./text-index.ts";
export * from "./vector-index.ts";
export * from "./vector-store.ts";

/* A driver is loaded when it is opened: LanceDB's library alone takes some 50 MB. */

/**
 * LanceDB in a local folder, made if it is missing; readers in other processes see each commit at
 * once.
 */
export async function openLanceStore(options: LanceOptions): Promise<VectorStore> {
  return (await import("./lance-store.ts")).openLanceStore(options);
}
