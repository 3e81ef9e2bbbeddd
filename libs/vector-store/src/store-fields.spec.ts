import { checkSettingField, providerDeclaration, renderFault } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { settingsFromEnvironment, vectorFields, vectorProviders } from "./registry.ts";

// Validation and messages: wire-contract.md 11.3.
const empty = "Value cannot be empty";
const noUrl = "URL is not a valid URL.";

describe("settings of vector stores", () => {
  it.each<[string, string, string | null]>([
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
      "A prefix can have at most 60 letters, digits, - and _.",
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
  ])('%s = "%s": %s', (key, value, expected) => {
    const field = vectorFields.find((candidate) => candidate.key === key)!;
    const fault = checkSettingField(field, value);
    expect(fault === null ? null : renderFault(fault)).toBe(expected);
  });

  it("are declared once each, in forms that match their schema", () => {
    const keys = vectorFields.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    for (const declaration of vectorProviders)
      expect(providerDeclaration.parse(declaration)).toEqual(declaration);
  });

  it("treat every key, password and connection string as secret", () => {
    expect(
      vectorFields
        .filter(({ kind }) => kind === "secret")
        .map(({ key }) => key)
        .sort(),
    ).toEqual([
      "AstraDBApplicationToken",
      "ChromaApiKey",
      "ChromaCloudApiKey",
      "MilvusPassword",
      "PGVectorConnectionString",
      "PineConeKey",
      "QdrantApiKey",
      "WeaviateApiKey",
      "ZillizApiToken",
    ]);
  });
});

describe("a store from the environment", () => {
  const variables = { QDRANT_URL: "http://qdrant:6333", QDRANT_API_KEY: undefined };
  const fromVariables = { VectorDB: "qdrant", QdrantEndpoint: "http://qdrant:6333" };
  it.each<[Record<string, string>, object]>([
    [{}, fromVariables],
    [{ VectorDB: "qdrant" }, fromVariables],
    [{ VectorDB: "qdrant", QdrantEndpoint: "http://other:6333" }, {}],
    [{ VectorDB: "lancedb" }, {}],
  ])("with the settings %j", (settings, expected) => {
    expect(settingsFromEnvironment(settings, variables)).toEqual(expected);
  });

  it("includes the key, and needs the address", () => {
    expect(settingsFromEnvironment({}, { ...variables, QDRANT_API_KEY: "k" })).toEqual({
      ...fromVariables,
      QdrantApiKey: "k",
    });
    expect(settingsFromEnvironment({}, { QDRANT_API_KEY: "k" })).toEqual({});
  });
});
