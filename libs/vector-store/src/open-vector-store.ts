import { chosenStore, readValues } from "./registry.ts";
import type { StoreOptions } from "./store-options.ts";
import type { VectorModel } from "./vector-index.ts";
import { VectorStoreError, type VectorStore } from "./vector-store.ts";

/**
 * The store the settings choose. Asks no server yet: failures show in the calls, as
 * `VectorStoreError`; missing settings throw at once. Stores that share a text index have the same
 * object as `text`, so that a change between them leaves it untouched.
 */
export async function openVectorStore(options: StoreOptions): Promise<VectorStore> {
  const store = chosenStore(options.settings);
  const values = readValues(store, options.settings);
  if ("open" in store) return store.open(values, options);
  const { openPairedStore } = await import("./paired-store.ts");
  return openPairedStore(await store.openDriver(values, options), options);
}

/**
 * Resolves when the store answers, accepts the key and can hold vectors of the model (if given);
 * otherwise throws `VectorStoreError` with a sentence for people. Leaves nothing behind.
 */
export async function checkVectorStore({
  model,
  ...options
}: StoreOptions & { model?: VectorModel }): Promise<void> {
  const store = chosenStore(options.settings);
  const values = readValues(store, options.settings);
  // Where the text is kept elsewhere, only the vectors' server is asked.
  const opened =
    "open" in store ? await store.open(values, options) : await store.openDriver(values, options);
  try {
    await opened.check(model);
  } catch (cause) {
    throw cause instanceof VectorStoreError
      ? cause
      : new VectorStoreError(cause instanceof Error ? cause.message : String(cause), {
          isRetryable: true,
          cause,
        });
  } finally {
    await opened.close();
  }
}
