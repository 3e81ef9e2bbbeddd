import type { ConnectorWire } from "@carrel/contracts";
import { z } from "zod";
import { ignoreField, ignoreLines, megabytesField } from "../../connector/file-rules.ts";

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
  maxMegabytes: z.number().int().min(1).max(500).default(50),
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
    { ...ignoreField, placeholder: "drafts/", default: hidden },
    megabytesField(50, 500),
  ],
  credentialFields: [],
  abilities: { permissions: false, changes: false, discovers: false },
};
