import { chosenStore, readValues, vectorPlace } from "./registry.ts";
import type { StoreOptions } from "./store.ts";
import type { VectorModel } from "./vector-index.ts";
import { VectorStoreError, type VectorStore } from "./vector-store.ts";

/**
 * Opens the store chosen in the settings. Contacts no server yet: failures surface in the calls as
 * `VectorStoreError`, but missing settings throw immediately. Stores with the same text index
 * return the same object as `text`, so switching between them keeps it.
 */
export async function openVectorStore(options: StoreOptions): Promise<VectorStore> {
  const store = chosenStore(options.settings);
  const values = readValues(store, options.settings);
  if ("open" in store) return store.open(values, options);
  const { openPairedStore } = await import("./paired-store.ts");
  return openPairedStore(
    store.name,
    await store.openDriver(values, options),
    vectorPlace(options.settings),
    options,
  );
}

/**
 * Resolves when the store is reachable, accepts the key and, if a model is given, can hold its
 * vectors. Otherwise throws a `VectorStoreError`. Leaves nothing behind.
 */
export async function checkVectorStore({
  model,
  ...options
}: StoreOptions & { model?: VectorModel }): Promise<void> {
  try {
    const store = chosenStore(options.settings);
    const values = readValues(store, options.settings);
    // If the text index lives elsewhere, only the vector server is checked.
    const opened =
      "open" in store ? await store.open(values, options) : await store.openDriver(values, options);
    try {
      await opened.check(model);
    } finally {
      await opened.close();
    }
  } catch (cause) {
    throw cause instanceof VectorStoreError
      ? cause
      : new VectorStoreError(
          {
            code: "vector-store.unusable",
            params: { details: cause instanceof Error ? cause.message : String(cause) },
          },
          { isRetryable: true, cause },
        );
  }
}
