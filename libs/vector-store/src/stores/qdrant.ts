import type { SettingRule } from "@carrel/contracts";
import type { Store } from "./store.ts";

const defaultPrefix = "carrel-";

const collectionPrefix: SettingRule = (value) =>
  /^[A-Za-z0-9_-]{0,60}$/.test(value) ? null : { code: "setting.collection-prefix-invalid" };

export const qdrant: Store = {
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
  // The default prefix is left out: it used to be the only one.
  place(values) {
    const prefix = values.find("QdrantCollectionPrefix") ?? defaultPrefix;
    return [values.findAddress("QdrantEndpoint"), ...(prefix === defaultPrefix ? [] : [prefix])];
  },
  open: async (values) =>
    (await import("../qdrant-store.ts")).openQdrantStore({
      url: values.getAddress("QdrantEndpoint"),
      apiKey: values.find("QdrantApiKey"),
      prefix: values.find("QdrantCollectionPrefix") ?? defaultPrefix,
    }),
};
