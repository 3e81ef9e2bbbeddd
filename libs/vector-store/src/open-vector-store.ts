import type { Writer } from "./lance-store.ts";
import { chosenStore, neededAddress, textOf, type StoreSettings } from "./store-settings.ts";
import type { VectorModel } from "./vector-index.ts";
import { VectorStoreError, type VectorStore } from "./vector-store.ts";

export interface StoreOptions {
  settings: StoreSettings;
  /** LanceDB's folder: vectors of LanceDB, and the text index of every store but Qdrant. */
  folder: string;
  /** As `LanceOptions.writer`. */
  writer?: Writer;
  /** Where vendors are whose address is not a setting; default their own. */
  vendors?: { pinecone?: string; chromaCloud?: string };
}

/**
 * The store that the settings choose. Asks no server yet: failures show in the calls, as
 * `VectorStoreError`; settings that are missing
 * throw at once. Stores whose text index is the same one have the same object as `text`, so that a
 * change between them leaves it as it is.
 */
export async function openVectorStore(options: StoreOptions): Promise<VectorStore> {
  const { settings } = options;
  switch (chosenStore(settings)) {
    case "lancedb":
      return (await import("./paired-store.ts")).openSharedLance(options);
    case "qdrant":
      return (await import("./qdrant-store.ts")).openQdrantStore({
        url: neededAddress(settings, "qdrant", "QdrantEndpoint"),
        apiKey: textOf(settings, "QdrantApiKey"),
        prefix: textOf(settings, "QdrantCollectionPrefix"),
      });
    default:
      return (await import("./paired-store.ts")).openPairedStore(options);
  }
}

/**
 * Resolves when the store answers, takes the key and can hold vectors of the model (where one is
 * given); else throws `VectorStoreError`
 * with a sentence for people. Writes nothing that stays.
 */
export async function checkVectorStore({
  model,
  ...options
}: StoreOptions & { model?: VectorModel }): Promise<void> {
  const chosen = chosenStore(options.settings);
  // Of stores whose text is elsewhere only the place of the vectors is asked.
  const store =
    chosen === "lancedb" || chosen === "qdrant"
      ? await openVectorStore(options)
      : await import("./paired-store.ts").then((library) => library.openDriver(options));
  try {
    await store.check(model);
  } catch (cause) {
    throw cause instanceof VectorStoreError
      ? cause
      : new VectorStoreError(cause instanceof Error ? cause.message : String(cause), {
          isRetryable: true,
          cause,
        });
  } finally {
    await store.close();
  }
}
