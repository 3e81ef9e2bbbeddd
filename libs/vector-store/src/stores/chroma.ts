import { all, webAddress, webAddressWithoutSlash } from "@carrel/contracts";
import type { Store } from "./store.ts";

export const chroma: Store = {
  id: "chroma",
  name: "Chroma",
  group: "local",
  fields: [
    {
      key: "ChromaEndpoint",
      label: "endpoint",
      kind: "url",
      required: true,
      placeholder: "http://localhost:8000",
      check: all(webAddress, webAddressWithoutSlash),
    },
    {
      key: "ChromaApiHeader",
      label: "keyHeader",
      kind: "text",
      required: false,
      placeholder: "X-Api-Key",
    },
    { key: "ChromaApiKey", label: "key", kind: "secret", required: false },
  ],
  place: (values) => [values.findAddress("ChromaEndpoint")],
  openDriver: async (values) =>
    (await import("../chroma-driver.ts")).openChroma({
      name: chroma.name,
      url: values.getAddress("ChromaEndpoint"),
      header: values.find("ChromaApiHeader"),
      key: values.find("ChromaApiKey"),
    }),
};
