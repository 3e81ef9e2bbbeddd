import type { ConnectorWire } from "@carrel/contracts";
import { z } from "zod";
import { signInFields } from "../../connector/atlassian-sign-in.ts";
import { addressSetting, readServer } from "../../connector/web-page.ts";

/** What an address of a page or the dashboard goes on with below the wiki's own path. */
const belowWiki = /\/(spaces|display|pages|rest|api|plugins|download|x|[\w-]+\.action)(\/.*)?$/;

/** Confluence's address, from any of its pages' addresses; without a slash at its end. */
export const readBase = (text: string): string | null => readServer(text, belowWiki);

export const confluenceSettings = z.object({
  url: addressSetting(readBase),
  /** Only says which interface is tried first. */
  deployment: z.enum(["cloud", "self-hosted"]).default("cloud"),
  /** Absent only as long as one is chosen. */
  space: z
    .string()
    .trim()
    .regex(/^[\w~.:@-]{1,255}$/)
    .optional(),
  blogPosts: z.boolean().default(false),
  attachments: z.boolean().default(true),
  maxFileMegabytes: z.number().int().min(1).max(500).default(25),
  anyCertificate: z.boolean().default(false),
});
export type ConfluenceSettings = z.output<typeof confluenceSettings>;

export const confluenceForm: Omit<ConnectorWire, "id"> = {
  label: "Confluence",
  description: "Import the pages of a space, with their attachments and who may see them.",
  fields: [
    {
      name: "url",
      kind: "address",
      label: "Address",
      help: "The address of Confluence, or of any page in it.",
      placeholder: "https://example.atlassian.net/wiki",
      required: true,
    },
    {
      name: "deployment",
      kind: "choice",
      label: "Deployment",
      required: false,
      default: "cloud",
      options: [
        { value: "cloud", label: "Cloud" },
        { value: "self-hosted", label: "Self-hosted" },
      ],
    },
    {
      name: "space",
      kind: "text",
      label: "Space key",
      placeholder: "HR",
      required: true,
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
      name: "blogPosts",
      kind: "switch",
      label: "Include blog posts",
      required: false,
      default: false,
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
    {
      name: "anyCertificate",
      kind: "switch",
      label: "Accept any certificate",
      help: "For a self-hosted server with a self-signed certificate.",
      required: false,
      default: false,
      advanced: true,
    },
  ],
  credentialFields: signInFields("Confluence"),
  abilities: { permissions: true, changes: false, discovers: false },
};
