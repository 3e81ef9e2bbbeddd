import type { ProviderDeclaration } from "@carrel/contracts";

/**
 * Where vectors are kept (wire-contract.md 11.3). Text stays in LanceDB for all but Qdrant. The
 * stores themselves: @carrel/vector-store.
 */
export const vectorProviders: ProviderDeclaration[] = [
  {
    id: "lancedb",
    name: "LanceDB",
    kind: "vector",
    group: "builtin",
    listsModels: false,
    fields: [],
  },
  {
    id: "qdrant",
    name: "Qdrant",
    kind: "vector",
    group: "local",
    listsModels: false,
    fields: [
      { key: "QdrantEndpoint", kind: "url", required: true, placeholder: "http://localhost:6333" },
      { key: "QdrantApiKey", kind: "secret", required: false },
      { key: "QdrantCollectionPrefix", kind: "text", required: false, placeholder: "carrel-" },
    ],
  },
  {
    id: "chroma",
    name: "Chroma",
    kind: "vector",
    group: "local",
    listsModels: false,
    fields: [
      { key: "ChromaEndpoint", kind: "url", required: true, placeholder: "http://localhost:8000" },
      { key: "ChromaApiHeader", kind: "text", required: false, placeholder: "X-Api-Key" },
      { key: "ChromaApiKey", kind: "secret", required: false },
    ],
  },
  {
    id: "chromacloud",
    name: "Chroma Cloud",
    kind: "vector",
    group: "hosted",
    keyUrl: "https://www.trychroma.com",
    listsModels: false,
    fields: [
      { key: "ChromaCloudApiKey", kind: "secret", required: true, placeholder: "ck-…" },
      { key: "ChromaCloudTenant", kind: "text", required: true },
      { key: "ChromaCloudDatabase", kind: "text", required: true },
    ],
  },
  {
    id: "pgvector",
    name: "PGVector",
    kind: "vector",
    group: "local",
    listsModels: false,
    fields: [
      {
        key: "PGVectorConnectionString",
        kind: "secret",
        required: true,
        placeholder: "postgresql://username:password@host:5432/database",
      },
      { key: "PGVectorTableName", kind: "text", required: false, default: "anythingllm_vectors" },
    ],
  },
  {
    id: "weaviate",
    name: "Weaviate",
    kind: "vector",
    group: "local",
    listsModels: false,
    fields: [
      {
        key: "WeaviateEndpoint",
        kind: "url",
        required: true,
        placeholder: "http://localhost:8080",
      },
      { key: "WeaviateApiKey", kind: "secret", required: false },
    ],
  },
  {
    id: "milvus",
    name: "Milvus",
    kind: "vector",
    group: "local",
    listsModels: false,
    fields: [
      { key: "MilvusAddress", kind: "url", required: true, placeholder: "http://localhost:19530" },
      { key: "MilvusUsername", kind: "text", required: false },
      { key: "MilvusPassword", kind: "secret", required: false },
    ],
  },
  {
    id: "zilliz",
    name: "Zilliz Cloud",
    kind: "vector",
    group: "hosted",
    keyUrl: "https://cloud.zilliz.com",
    listsModels: false,
    fields: [
      {
        key: "ZillizEndpoint",
        kind: "url",
        required: true,
        placeholder: "https://sample.api.gcp-us-west1.zillizcloud.com",
      },
      { key: "ZillizApiToken", kind: "secret", required: true },
    ],
  },
  {
    id: "pinecone",
    name: "Pinecone",
    kind: "vector",
    group: "hosted",
    keyUrl: "https://app.pinecone.io",
    listsModels: false,
    fields: [
      { key: "PineConeKey", kind: "secret", required: true },
      { key: "PineConeIndex", kind: "text", required: true, placeholder: "my-index" },
    ],
  },
  {
    id: "astra",
    name: "Astra DB",
    kind: "vector",
    group: "hosted",
    keyUrl: "https://astra.datastax.com",
    listsModels: false,
    fields: [
      {
        key: "AstraDBEndpoint",
        kind: "url",
        required: true,
        placeholder: "https://<database>-<region>.apps.astra.datastax.com",
      },
      { key: "AstraDBApplicationToken", kind: "secret", required: true, placeholder: "AstraCS:…" },
    ],
  },
];
