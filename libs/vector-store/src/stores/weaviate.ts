import type { Store } from "./store.ts";

export const weaviate: Store = {
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
    (await import("../weaviate-driver.ts")).openWeaviate({
      name: weaviate.name,
      url: values.getAddress("WeaviateEndpoint"),
      key: values.find("WeaviateApiKey"),
    }),
};
