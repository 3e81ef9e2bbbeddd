import type { ConnectorWire } from "@carrel/contracts";
import { z } from "zod";
import { addressSetting, readServer } from "../../connector/web-page.ts";

/** What the address of any of its pages goes on with below Paperless's own path. */
const belowPaperless =
  /\/(accounts|admin|api|config|correspondents|customfields|dashboard|documents|documenttypes|logs|mail|notes|savedviews|settings|storagepaths|tags|tasks|trash|usersgroups|view|workflows)(\/.*)?$/;

/** Without a slash at its end. */
const readBase = (text: string): string | null => readServer(text, belowPaperless);

export const paperlessSettings = z.object({
  url: addressSetting(readBase),
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
