import { VectorStoreError } from "./vector-store.ts";

/**
 * Setting keys of wire-contract.md 11.3 to their text, secrets opened. Keys of no vector database
 * may be among them.
 */
export type StoreSettings = Readonly<Record<string, string>>;

export const storeIds = [
  "lancedb",
  "qdrant",
  "chroma",
  "chromacloud",
  "pgvector",
  "weaviate",
  "milvus",
  "zilliz",
  "pinecone",
  "astra",
] as const;
export type StoreId = (typeof storeIds)[number];

/** The names people know. */
export const storeNames: Readonly<Record<StoreId, string>> = {
  lancedb: "LanceDB",
  qdrant: "Qdrant",
  chroma: "Chroma",
  chromacloud: "Chroma Cloud",
  pgvector: "PGVector",
  weaviate: "Weaviate",
  milvus: "Milvus",
  zilliz: "Zilliz Cloud",
  pinecone: "Pinecone",
  astra: "Astra DB",
};

export const textOf = (settings: StoreSettings, key: string): string | undefined =>
  settings[key]?.trim() || undefined;

/** The chosen store; LanceDB while nobody has chosen. */
export function chosenStore(settings: StoreSettings): StoreId {
  const chosen = textOf(settings, "VectorDB") ?? "lancedb";
  const known = storeIds.find((id) => id === chosen);
  if (!known)
    throw new VectorStoreError(`${chosen} is not a vector database that Carrel knows.`, {
      isRetryable: false,
    });
  return known;
}

export function needed(settings: StoreSettings, store: StoreId, key: string, what: string): string {
  const value = textOf(settings, key);
  if (value === undefined)
    throw new VectorStoreError(`${storeNames[store]} needs ${what}. Set it in the settings.`, {
      isRetryable: false,
    });
  return value;
}

/** An http(s) address without a slash at its end. */
export function neededAddress(settings: StoreSettings, store: StoreId, key: string): string {
  const text = needed(settings, store, key, "an address");
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new VectorStoreError(`Not an address of ${storeNames[store]}: ${text}`, {
      isRetryable: false,
    });
  return text.replace(/\/+$/, "");
}

const addressOf = (settings: StoreSettings, key: string): string =>
  (textOf(settings, key) ?? "").replace(/\/+$/, "");

/** Where vectors are, for people and for comparing; no secret is in it. */
const placeKeys: Partial<Record<StoreId, string[]>> = {
  chroma: ["ChromaEndpoint"],
  chromacloud: ["ChromaCloudTenant", "ChromaCloudDatabase"],
  weaviate: ["WeaviateEndpoint"],
  milvus: ["MilvusAddress"],
  zilliz: ["ZillizEndpoint"],
  pinecone: ["PineConeIndex"],
  astra: ["AstraDBEndpoint"],
};
export const defaultPostgresTable = "anythingllm_vectors";
export const defaultQdrantPrefix = "carrel-";

/**
 * Names the place that the settings choose, e.g. `qdrant http://localhost:6333`: settings of the
 * same place mean the same vectors,
 * whatever their keys and passwords. Asks nobody. Throws `VectorStoreError` for a store that is not
 * known.
 */
export function vectorPlace(settings: StoreSettings): string {
  const store = chosenStore(settings);
  if (store === "pgvector") {
    const text = textOf(settings, "PGVectorConnectionString") ?? "";
    const url = URL.canParse(text) ? new URL(text) : null;
    return `pgvector ${url ? `${url.host}${url.pathname}` : ""} ${textOf(settings, "PGVectorTableName") ?? defaultPostgresTable}`;
  }
  if (store === "qdrant") {
    const prefix = textOf(settings, "QdrantCollectionPrefix") ?? defaultQdrantPrefix;
    // The default is not named: it was the only one once.
    return [
      "qdrant",
      addressOf(settings, "QdrantEndpoint"),
      ...(prefix === defaultQdrantPrefix ? [] : [prefix]),
    ].join(" ");
  }
  return [store, ...(placeKeys[store] ?? []).map((key) => addressOf(settings, key))].join(" ");
}
