import { all, notEmpty, type SettingRule } from "@carrel/contracts";
import type { Store } from "./store.ts";

const defaultTable = "anythingllm_vectors";

const postgresAddress: SettingRule = (value) => {
  if (!value.startsWith("postgresql://")) return { code: "setting.postgres-scheme-missing" };
  return value.includes(" ") ? { code: "setting.postgres-spaces" } : null;
};

export const pgVector: Store = {
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
    (await import("../postgres-driver.ts")).openPostgres({
      name: pgVector.name,
      connectionString: values.get("PGVectorConnectionString", "connection-string"),
      table: values.find("PGVectorTableName") ?? defaultTable,
    }),
};
