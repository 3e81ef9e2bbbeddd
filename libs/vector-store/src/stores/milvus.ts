import { notEmpty } from "@carrel/contracts";
import type { Store } from "./store.ts";

export const milvus: Store = {
  id: "milvus",
  name: "Milvus",
  group: "local",
  fields: [
    {
      key: "MilvusAddress",
      label: "endpoint",
      kind: "url",
      required: true,
      placeholder: "http://localhost:19530",
    },
    { key: "MilvusUsername", label: "username", kind: "text", required: false, check: notEmpty },
    { key: "MilvusPassword", label: "password", kind: "secret", required: false, check: notEmpty },
  ],
  place: (values) => [values.findAddress("MilvusAddress")],
  async openDriver(values) {
    const username = values.find("MilvusUsername");
    const password = values.find("MilvusPassword");
    return (await import("../milvus-driver.ts")).openMilvus({
      name: milvus.name,
      url: values.getAddress("MilvusAddress"),
      token: username && password ? `${username}:${password}` : "",
      secrets: [password],
    });
  },
};
