import type { ConnectorWire } from "@carrel/contracts";
import { z } from "zod";
import { addressSetting, readServer } from "../../connector/web-page.ts";

/** The wiki's address, from any of its pages' addresses; without a slash at its end. */
const readBase = (text: string): string | null =>
  readServer(text, /\/(node|api|user|space)(\/.*)?$/);

const spaceIds = z
  .union([z.array(z.string()), z.string().transform((text) => text.split(/[\s,;]+/))])
  .transform((all) => [...new Set(all.map((id) => id.trim()).filter((id) => id !== ""))])
  .pipe(z.array(z.string().regex(/^\d{1,18}$/)).max(500));

export const drupalwikiSettings = z.object({
  url: addressSetting(readBase),
  /** None: every space that the token may read. */
  spaces: spaceIds.default([]),
  attachments: z.boolean().default(true),
  maxFileMegabytes: z.number().int().min(1).max(500).default(25),
});
export type DrupalwikiSettings = z.output<typeof drupalwikiSettings>;

export const drupalwikiForm: Omit<ConnectorWire, "id"> = {
  label: "Drupal Wiki",
  description: "Import the pages of spaces, with their attachments.",
  fields: [
    {
      name: "url",
      kind: "address",
      label: "Address",
      placeholder: "https://wiki.example.com",
      required: true,
    },
    {
      name: "spaces",
      kind: "lines",
      label: "Space IDs",
      help: "One per line. Without any, every space that the token may read.",
      required: false,
      default: [],
      isListed: true,
    },
    {
      name: "attachments",
      kind: "switch",
      label: "Include attachments",
      help: "PDFs, Office files and texts.",
      required: false,
      default: true,
    },
    {
      name: "maxFileMegabytes",
      kind: "number",
      label: "Maximum size of an attachment, in MB",
      required: false,
      default: 25,
      min: 1,
      max: 500,
      advanced: true,
    },
  ],
  credentialFields: [{ name: "token", kind: "secret", label: "Access token", required: true }],
  abilities: { permissions: false, changes: false, discovers: false },
};
