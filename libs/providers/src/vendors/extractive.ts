import type { Vendor } from "./vendor.ts";

/** Quotes the documents; the chat service composes the answers. */
export const extractive: Vendor = {
  id: "extractive",
  name: "Quotes from your documents",
  group: "builtin",
  language: { fields: [] },
};
