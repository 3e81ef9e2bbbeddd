import type { Store } from "./store.ts";

export const zilliz: Store = {
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
    (await import("../milvus-driver.ts")).openMilvus({
      name: zilliz.name,
      url: values.getAddress("ZillizEndpoint"),
      token: values.get("ZillizApiToken", "key"),
    }),
};
