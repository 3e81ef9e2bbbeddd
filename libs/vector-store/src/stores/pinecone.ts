import { anything } from "@carrel/contracts";
import type { Store } from "./store.ts";

export const pinecone: Store = {
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
    (await import("../pinecone-driver.ts")).openPinecone({
      name: pinecone.name,
      control: baseUrl ?? "https://api.pinecone.io",
      key: values.get("PineConeKey", "key"),
      index: values.get("PineConeIndex", "index-name"),
    }),
};
