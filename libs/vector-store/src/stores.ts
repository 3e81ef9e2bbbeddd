import {
  all,
  anything,
  notEmpty,
  webAddress,
  webAddressWithoutSlash,
  type SettingRule,
} from "@carrel/contracts";
import type { Store } from "./store.ts";

const lanceDb: Store = {
  id: "lancedb",
  name: "LanceDB",
  group: "builtin",
  fields: [],
  place: () => [],
  open: async (_values, options) => (await import("./paired-store.ts")).openSharedLance(options),
};

const defaultPrefix = "carrel-";

const collectionPrefix: SettingRule = (value) =>
  /^[A-Za-z0-9_-]{0,60}$/.test(value) ? null : { code: "setting.collection-prefix-invalid" };

const qdrant: Store = {
  id: "qdrant",
  name: "Qdrant",
  group: "local",
  fields: [
    {
      key: "QdrantEndpoint",
      label: "endpoint",
      kind: "url",
      required: true,
      placeholder: "http://localhost:6333",
    },
    { key: "QdrantApiKey", label: "key", kind: "secret", required: false },
    {
      key: "QdrantCollectionPrefix",
      label: "collectionPrefix",
      kind: "text",
      required: false,
      placeholder: defaultPrefix,
      check: collectionPrefix,
    },
  ],
  environment: { QdrantEndpoint: "QDRANT_URL", QdrantApiKey: "QDRANT_API_KEY" },
  // The default prefix is left out, because it used to be the only one.
  place(values) {
    const prefix = values.find("QdrantCollectionPrefix") ?? defaultPrefix;
    return [values.findAddress("QdrantEndpoint"), ...(prefix === defaultPrefix ? [] : [prefix])];
  },
  open: async (values) =>
    (await import("./qdrant-store.ts")).openQdrantStore({
      url: values.getAddress("QdrantEndpoint"),
      apiKey: values.find("QdrantApiKey"),
      prefix: values.find("QdrantCollectionPrefix") ?? defaultPrefix,
    }),
};

const chroma: Store = {
  id: "chroma",
  name: "Chroma",
  group: "local",
  fields: [
    {
      key: "ChromaEndpoint",
      label: "endpoint",
      kind: "url",
      required: true,
      placeholder: "http://localhost:8000",
      check: all(webAddress, webAddressWithoutSlash),
    },
    {
      key: "ChromaApiHeader",
      label: "keyHeader",
      kind: "text",
      required: false,
      placeholder: "X-Api-Key",
    },
    { key: "ChromaApiKey", label: "key", kind: "secret", required: false },
  ],
  place: (values) => [values.findAddress("ChromaEndpoint")],
  openDriver: async (values) =>
    (await import("./chroma-driver.ts")).openChroma({
      name: chroma.name,
      url: values.getAddress("ChromaEndpoint"),
      header: values.find("ChromaApiHeader"),
      key: values.find("ChromaApiKey"),
    }),
};

const chromaCloud: Store = {
  id: "chromacloud",
  name: "Chroma Cloud",
  group: "hosted",
  keyUrl: "https://www.trychroma.com",
  fields: [
    {
      key: "ChromaCloudApiKey",
      label: "key",
      kind: "secret",
      required: true,
      placeholder: "ck-…",
    },
    { key: "ChromaCloudTenant", label: "tenant", kind: "text", required: true },
    { key: "ChromaCloudDatabase", label: "database", kind: "text", required: true },
  ],
  place: (values) => [
    values.findAddress("ChromaCloudTenant"),
    values.findAddress("ChromaCloudDatabase"),
  ],
  openDriver: async (values, { baseUrl }) =>
    (await import("./chroma-driver.ts")).openChromaCloud({
      name: chromaCloud.name,
      url: baseUrl ?? "https://api.trychroma.com",
      key: values.get("ChromaCloudApiKey", "key"),
      tenant: values.get("ChromaCloudTenant", "tenant"),
      database: values.get("ChromaCloudDatabase", "database-name"),
    }),
};

const defaultTable = "anythingllm_vectors";

const postgresAddress: SettingRule = (value) => {
  if (!value.startsWith("postgresql://")) return { code: "setting.postgres-scheme-missing" };
  return value.includes(" ") ? { code: "setting.postgres-spaces" } : null;
};

const pgVector: Store = {
  id: "pgvector",
  name: "PGVector",
  group: "local",
  fields: [
    {
      key: "PGVectorConnectionString",
      label: "connectionString",
      kind: "secret",
      required: true,
      placeholder: "postgresql://username:password@host:5432/database",
      check: all(notEmpty, postgresAddress),
    },
    {
      key: "PGVectorTableName",
      label: "table",
      kind: "text",
      required: false,
      default: defaultTable,
      check: notEmpty,
    },
  ],
  triedSetting: "PGVectorConnectionString",
  place(values) {
    const text = values.find("PGVectorConnectionString") ?? "";
    const url = URL.canParse(text) ? new URL(text) : null;
    return [
      url ? `${url.host}${url.pathname}` : "",
      values.find("PGVectorTableName") ?? defaultTable,
    ];
  },
  openDriver: async (values) =>
    (await import("./postgres-driver.ts")).openPostgres({
      name: pgVector.name,
      connectionString: values.get("PGVectorConnectionString", "connection-string"),
      table: values.find("PGVectorTableName") ?? defaultTable,
    }),
};

const weaviate: Store = {
  id: "weaviate",
  name: "Weaviate",
  group: "local",
  fields: [
    {
      key: "WeaviateEndpoint",
      label: "endpoint",
      kind: "url",
      required: true,
      placeholder: "http://localhost:8080",
    },
    { key: "WeaviateApiKey", label: "key", kind: "secret", required: false },
  ],
  place: (values) => [values.findAddress("WeaviateEndpoint")],
  openDriver: async (values) =>
    (await import("./weaviate-driver.ts")).openWeaviate({
      name: weaviate.name,
      url: values.getAddress("WeaviateEndpoint"),
      key: values.find("WeaviateApiKey"),
    }),
};

const milvus: Store = {
  id: "milvus",
  name: "Milvus",
  group: "local",
  fields: [
    {
      key: "MilvusAddress",
      label: "endpoint",
      kind: "url",
      required: true,
      placeholder: "http://localhost:19530",
    },
    { key: "MilvusUsername", label: "username", kind: "text", required: false, check: notEmpty },
    { key: "MilvusPassword", label: "password", kind: "secret", required: false, check: notEmpty },
  ],
  place: (values) => [values.findAddress("MilvusAddress")],
  async openDriver(values) {
    const username = values.find("MilvusUsername");
    const password = values.find("MilvusPassword");
    return (await import("./milvus-driver.ts")).openMilvus({
      name: milvus.name,
      url: values.getAddress("MilvusAddress"),
      token: username && password ? `${username}:${password}` : "",
      secrets: [password],
    });
  },
};

const zilliz: Store = {
  id: "zilliz",
  name: "Zilliz Cloud",
  group: "hosted",
  keyUrl: "https://cloud.zilliz.com",
  fields: [
    {
      key: "ZillizEndpoint",
      label: "endpoint",
      kind: "url",
      required: true,
      placeholder: "https://sample.api.gcp-us-west1.zillizcloud.com",
    },
    { key: "ZillizApiToken", label: "key", kind: "secret", required: true },
  ],
  place: (values) => [values.findAddress("ZillizEndpoint")],
  openDriver: async (values) =>
    (await import("./milvus-driver.ts")).openMilvus({
      name: zilliz.name,
      url: values.getAddress("ZillizEndpoint"),
      token: values.get("ZillizApiToken", "key"),
    }),
};

const pinecone: Store = {
  id: "pinecone",
  name: "Pinecone",
  group: "hosted",
  keyUrl: "https://app.pinecone.io",
  fields: [
    { key: "PineConeKey", label: "key", kind: "secret", required: true, check: anything },
    {
      key: "PineConeIndex",
      label: "index",
      kind: "text",
      required: true,
      placeholder: "my-index",
      check: anything,
    },
  ],
  place: (values) => [values.findAddress("PineConeIndex")],
  openDriver: async (values, { baseUrl }) =>
    (await import("./pinecone-driver.ts")).openPinecone({
      name: pinecone.name,
      control: baseUrl ?? "https://api.pinecone.io",
      key: values.get("PineConeKey", "key"),
      index: values.get("PineConeIndex", "index-name"),
    }),
};

const astra: Store = {
  id: "astra",
  name: "Astra DB",
  group: "hosted",
  keyUrl: "https://astra.datastax.com",
  fields: [
    {
      key: "AstraDBEndpoint",
      label: "endpoint",
      kind: "url",
      required: true,
      placeholder: "https://<database>-<region>.apps.astra.datastax.com",
      check: notEmpty,
    },
    {
      key: "AstraDBApplicationToken",
      label: "applicationToken",
      kind: "secret",
      required: true,
      placeholder: "AstraCS:…",
    },
  ],
  place: (values) => [values.findAddress("AstraDBEndpoint")],
  openDriver: async (values) =>
    (await import("./astra-driver.ts")).openAstra({
      name: astra.name,
      url: values.getAddress("AstraDBEndpoint"),
      token: values.get("AstraDBApplicationToken", "token"),
    }),
};

/** In the order of the forms; the first is the default. */
export const stores: readonly [Store, ...Store[]] = [
  lanceDb,
  qdrant,
  chroma,
  chromaCloud,
  pgVector,
  weaviate,
  milvus,
  zilliz,
  pinecone,
  astra,
];
