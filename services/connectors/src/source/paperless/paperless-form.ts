import type { ConnectorWire } from "@carrel/contracts";
import { z } from "zod";
import { readLink } from "../../connector/web-page.ts";

/** What the address of any of its pages goes on with below Paperless's own path. */
const belowPaperless =
  /\/(accounts|admin|api|config|correspondents|customfields|dashboard|documents|documenttypes|logs|mail|notes|savedviews|settings|storagepaths|tags|tasks|trash|usersgroups|view|workflows)(\/.*)?$/;

/** Without a slash at its end. */
function readBase(text: string): string | null {
  const address = readLink(text);
  if (address === null) return null;
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.replace(belowPaperless, "").replace(/\/+$/, "")}`;
}

export const paperlessSettings = z.object({
  url: z
    .string()
    .max(1_000)
    .transform((text, { issues }) => {
      const base = readBase(text);
      if (base !== null) return base;
      issues.push({ code: "custom", input: text, message: "not a web address" });
      return z.NEVER;
    }),
  content: z.enum(["text", "archive", "original"]).default("text"),
  maxFileMegabytes: z.number().int().min(1).max(500).default(50),
});
export type PaperlessSettings = z.output<typeof paperlessSettings>;

export const paperlessForm: Omit<ConnectorWire, "id"> = {
  label: "Paperless-ngx",
  description: "Import the documents of a Paperless-ngx archive, with their tags.",
  fields: [
    {
      name: "url",
      kind: "address",
      label: "Address",
      placeholder: "https://paperless.example.com",
      required: true,
    },
    {
      name: "content",
      kind: "choice",
      label: "Content",
      help: "Files have pages that citations can show. The text is already recognised.",
      required: false,
      default: "text",
      options: [
        { value: "text", label: "Text that Paperless recognised" },
        { value: "archive", label: "Archived file" },
        { value: "original", label: "Original file" },
      ],
    },
    {
      name: "maxFileMegabytes",
      kind: "number",
      label: "Maximum size of a file, in MB",
      required: false,
      default: 50,
      min: 1,
      max: 500,
      advanced: true,
    },
  ],
  credentialFields: [
    {
      name: "token",
      kind: "secret",
      label: "API token",
      help: "From My Profile in Paperless-ngx.",
      required: true,
    },
  ],
  abilities: { permissions: false, changes: false, discovers: false },
};
