import type { Vendor } from "./vendor.ts";

/** Quotes the documents; the answerer is part of the chat service. */
export const extractive: Vendor = {
  id: "extractive",
  name: "Quotes from your documents",
  group: "builtin",
  language: { fields: [] },
};
