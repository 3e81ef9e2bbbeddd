import { describe, expect, it } from "@jest/globals";
import { vectorProviders } from "./declarations.ts";
import { providerSettingKeys, secretSettingKeys, validateSetting } from "./settings.ts";

/* wire-contract.md 11.3: keys, what is checked and in which words. */
const empty = "Value cannot be empty",
  noUrl = "URL is not a valid URL.";

describe("settings of vector databases", () => {
  it.each<[string, string, string | null]>([
    [
      "VectorDB",
      "elsewhere",
      "elsewhere is not a valid vector database. Allowed: lancedb, qdrant, chroma, chromacloud, pgvector, weaviate, milvus, zilliz, pinecone, astra.",
    ],
    ["VectorDB", "astra", null],
    ["PineConeKey", "", null],
    ["PineConeIndex", "", null],
    ["ChromaEndpoint", "localhost", noUrl],
    ["ChromaEndpoint", "http://localhost:8000/", "URL cannot end with a slash"],
    ["ChromaEndpoint", "http://localhost:8000", null],
    ["ChromaApiHeader", "", null],
    ["ChromaApiKey", "", null],
    ["ChromaCloudApiKey", " ", empty],
    ["ChromaCloudTenant", "", empty],
    ["ChromaCloudDatabase", "", empty],
    ["WeaviateEndpoint", "ftp://host", noUrl],
    ["WeaviateEndpoint", "https://host/", null],
    ["WeaviateApiKey", "", null],
    ["QdrantEndpoint", "", noUrl],
    ["QdrantEndpoint", "http://localhost:6333", null],
    ["QdrantApiKey", "", null],
    ["QdrantCollectionPrefix", "", null],
    ["QdrantCollectionPrefix", "team-a_2-", null],
    ...["a/b", "a b", "ä", "x".repeat(61), ".."].map((prefix): [string, string, string] => [
      "QdrantCollectionPrefix",
      prefix,
      "A prefix has at most 60 letters, digits, - and _.",
    ]),
    ["MilvusAddress", "localhost:19530", noUrl],
    ["MilvusUsername", "", empty],
    ["MilvusPassword", "", empty],
    ["ZillizEndpoint", "x", noUrl],
    ["ZillizApiToken", "", empty],
    ["AstraDBEndpoint", "", empty],
    ["AstraDBApplicationToken", "", empty],
    ["PGVectorConnectionString", "", empty],
    [
      "PGVectorConnectionString",
      "postgres://host/db",
      "Invalid Postgres connection string. Must start with postgresql://",
    ],
    [
      "PGVectorConnectionString",
      "postgresql://host/d b",
      "Invalid Postgres connection string. Must not contain spaces.",
    ],
    ["PGVectorConnectionString", "postgresql://a:b@host:5432/db", null],
    ["PGVectorTableName", "", empty],
    ["PGVectorTableName", "vectors", null],
  ])('%s = "%s": %s', (key, value, said) => expect(validateSetting(key, value)).toBe(said));

  it("knows every field of the forms, and seals the secrets", () => {
    for (const field of vectorProviders.flatMap((provider) => provider.fields))
      expect([field.key, providerSettingKeys.has(field.key)]).toEqual([field.key, true]);
    expect(
      [
        "PineConeKey",
        "ChromaApiKey",
        "ChromaCloudApiKey",
        "WeaviateApiKey",
        "QdrantApiKey",
        "MilvusPassword",
        "ZillizApiToken",
        "AstraDBApplicationToken",
        "PGVectorConnectionString",
      ].filter((key) => !secretSettingKeys.has(key)),
    ).toEqual([]);
    expect(
      ["ChromaApiHeader", "MilvusUsername", "PGVectorTableName", "PineConeIndex"].filter((key) =>
        secretSettingKeys.has(key),
      ),
    ).toEqual([]);
  });
});
