import type { ConnectorWire } from "@carrel/contracts";
import { z } from "zod";
import { addressSetting, readLink } from "../../connector/web-page.ts";

/** Readers of feeds also know addresses like feed://example.com/rss and feed:https://… */
const feedScheme = /^\s*feed:(\/\/)?/i;

export const feedSettings = z.object({
  /** Of the feed, or of a page that names it. */
  url: addressSetting((text) => readLink(text.replace(feedScheme, ""))),
  /** Imports the page that an entry links to instead of what the feed says of it. */
  fullPages: z.boolean().default(false),
  maxEntries: z.number().int().min(1).max(5_000).default(500),
});
export type FeedSettings = z.output<typeof feedSettings>;

export const feedCredential = z.object({
  username: z.string().max(500).default(""),
  password: z.string().max(5_000).default(""),
});
export type FeedCredential = z.output<typeof feedCredential>;

export const feedForm: Omit<ConnectorWire, "id"> = {
  label: "RSS or Atom feed",
  description: "Import the entries of a feed, and new ones as they appear.",
  fields: [
    {
      name: "url",
      kind: "address",
      label: "Address",
      help: "The address of the feed, or of a page that has one.",
      placeholder: "https://example.com/feed.xml",
      required: true,
    },
    {
      name: "fullPages",
      kind: "switch",
      label: "Import full pages",
      help: "For feeds that only have summaries: imports the page each entry links to.",
      required: false,
      default: false,
    },
    {
      name: "maxEntries",
      kind: "number",
      label: "Maximum entries per import",
      required: false,
      default: 500,
      min: 1,
      max: 5_000,
      advanced: true,
    },
  ],
  credentialFields: [
    {
      name: "username",
      kind: "text",
      label: "Username",
      help: "Only for feeds that ask for a password.",
      required: false,
    },
    { name: "password", kind: "secret", label: "Password", required: false },
  ],
  abilities: { permissions: false, changes: true, discovers: false },
};
