import { notEmpty } from "@carrel/contracts";
import type { Store } from "./store.ts";

export const astra: Store = {
  id: "astra",
  name: "Astra DB",
  group: "hosted",
  keyUrl: "https://astra.datastax.com",
  fields: [
    {
      key: "AstraDBEndpoint",
      label: "endpoint",
      kind: "url",
      required: true,
      placeholder: "https://<database>-<region>.apps.astra.datastax.com",
      check: notEmpty,
    },
    {
      key: "AstraDBApplicationToken",
      label: "applicationToken",
      kind: "secret",
      required: true,
      placeholder: "AstraCS:…",
    },
  ],
  place: (values) => [values.findAddress("AstraDBEndpoint")],
  openDriver: async (values) =>
    (await import("../astra-driver.ts")).openAstra({
      name: astra.name,
      url: values.getAddress("AstraDBEndpoint"),
      token: values.get("AstraDBApplicationToken", "token"),
    }),
};
