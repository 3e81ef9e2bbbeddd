import type { LanceOptions } from "./lance-store.ts";
import type { VectorStore } from "./vector-store.ts";

export {
  inverseDocumentFrequency,
  lengthNorm,
  normedWeight,
  questionTermWeight,
  rescore,
  termWeight,
} from "./bm25.ts";
export {
  checkVectorStore,
  openVectorStore,
  chosenStore,
  isSharedStore,
  settingsFromEnvironment,
  storeName,
  textPlace,
  triedSettings,
  vectorFields,
  vectorPlace,
  vectorProviders,
} from "./registry.ts";
export * from "./vector-store.ts";

/* Drivers are loaded when first opened: LanceDB's library alone takes about 50 MB. */

/**
 * LanceDB in a local folder, created if missing. Readers in other processes see each commit
 * immediately.
 */
export async function openLanceStore(options: LanceOptions): Promise<VectorStore> {
  return (await import("./lance-store.ts")).openLanceStore(options);
}
