import { quotingProvider } from "@carrel/contracts";
import type { Vendor } from "./vendor.ts";

/** Quotes the documents; the chat service composes the answers. */
export const extractive: Vendor = {
  id: quotingProvider,
  name: "Quotes from your documents",
  group: "builtin",
  language: { fields: [] },
};
