import type { Store } from "./store.ts";

export const chromaCloud: Store = {
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
    (await import("../chroma-driver.ts")).openChromaCloud({
      name: chromaCloud.name,
      url: baseUrl ?? "https://api.trychroma.com",
      key: values.get("ChromaCloudApiKey", "key"),
      tenant: values.get("ChromaCloudTenant", "tenant"),
      database: values.get("ChromaCloudDatabase", "database-name"),
    }),
};
