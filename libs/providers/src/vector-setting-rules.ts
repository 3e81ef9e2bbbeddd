import {
  all,
  notEmpty,
  webAddress,
  webAddressWithoutSlash,
  type SettingRule,
} from "./setting-rule.ts";

const anything: SettingRule = () => null;

/** The wire's words; whether the database answers is asked by `checkVectorStore`, not here. */
const postgresAddress: SettingRule = (value) => {
  if (!value.startsWith("postgresql://"))
    return "Invalid Postgres connection string. Must start with postgresql://";
  return value.includes(" ")
    ? "Invalid Postgres connection string. Must not contain spaces."
    : null;
};

/** Ours; empty is the default. */
const collectionPrefix: SettingRule = (value) =>
  /^[A-Za-z0-9_-]{0,60}$/.test(value) ? null : "A prefix has at most 60 letters, digits, - and _.";

/** wire-contract.md 11.3: the check of each key of the vector databases. */
export const vectorSettingRules: Record<string, SettingRule> = {
  QdrantEndpoint: webAddress,
  QdrantApiKey: anything,
  QdrantCollectionPrefix: collectionPrefix,
  ChromaEndpoint: webAddressWithoutSlash,
  ChromaApiHeader: anything,
  ChromaApiKey: anything,
  ChromaCloudApiKey: notEmpty,
  ChromaCloudTenant: notEmpty,
  ChromaCloudDatabase: notEmpty,
  PGVectorConnectionString: all(notEmpty, postgresAddress),
  PGVectorTableName: notEmpty,
  WeaviateEndpoint: webAddress,
  WeaviateApiKey: anything,
  MilvusAddress: webAddress,
  MilvusUsername: notEmpty,
  MilvusPassword: notEmpty,
  ZillizEndpoint: webAddress,
  ZillizApiToken: notEmpty,
  PineConeKey: anything,
  PineConeIndex: anything,
  AstraDBEndpoint: notEmpty,
  AstraDBApplicationToken: notEmpty,
};
