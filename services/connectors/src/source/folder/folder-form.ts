import type { ConnectorWire } from "@carrel/contracts";
import { z } from "zod";
import { ignoreLines } from "../../repository/repository-form.ts";

const hidden = [".*", "~$*", "Thumbs.db", "node_modules/"];

export const folderSettings = z.object({
  /** Absolute; absent only as long as one is chosen. */
  path: z
    .string()
    .trim()
    .max(4_000)
    .regex(/^\/[^\0]*$/)
    .optional(),
  /** In the syntax of .gitignore. */
  ignore: ignoreLines.default(hidden),
  maxFileMegabytes: z.number().int().min(1).max(500).default(50),
});
export type FolderSettings = z.output<typeof folderSettings>;

export const folderForm: Omit<ConnectorWire, "id"> = {
  label: "Folder on the server",
  description: "Import the files of a folder that an admin has allowed.",
  fields: [
    {
      name: "path",
      kind: "text",
      label: "Folder",
      help: "One of the allowed folders, or a folder in one of them.",
      placeholder: "/srv/documents",
      required: true,
      isListed: true,
    },
    {
      name: "ignore",
      kind: "lines",
      label: "Files to leave out",
      help: "One pattern per line, as in .gitignore.",
      placeholder: "drafts/",
      required: false,
      default: hidden,
      advanced: true,
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
  credentialFields: [],
  abilities: { permissions: false, changes: false, discovers: false },
};
