import type { ConnectorWire } from "@carrel/contracts";
import { z } from "zod";
import {
  ignoreField,
  ignoreLines,
  isUsablePath,
  megabytesField,
} from "../../connector/file-rules.ts";
import { readLink } from "../../connector/web-page.ts";

export const webdavSettings = z.object({
  /** Of a WebDAV folder, or as the browser shows it on Nextcloud and ownCloud. */
  url: z
    .string()
    .max(2_000)
    .transform((text, { issues }) => {
      const address = readLink(text);
      if (address !== null && new URL(address).username === "") return address;
      issues.push({ code: "custom", input: text, message: "not a web address" });
      return z.NEVER;
    }),
  /** Below the address, without slashes around it. */
  folder: z
    .string()
    .max(2_000)
    .transform((text) => text.trim().replace(/^\/+|\/+$/g, ""))
    .refine((text) => text === "" || isUsablePath(text))
    .optional(),
  ignore: ignoreLines.default([]),
  maxMegabytes: z.number().int().min(1).max(500).default(25),
  anyCertificate: z.boolean().default(false),
});
export type WebdavSettings = z.output<typeof webdavSettings>;

export const webdavCredential = z.object({
  username: z.string().max(500).default(""),
  password: z.string().max(5_000).default(""),
});
export type WebdavCredential = z.output<typeof webdavCredential>;

export const webdavForm: Omit<ConnectorWire, "id"> = {
  label: "Nextcloud or WebDAV",
  description: "Import the files of a folder on Nextcloud, ownCloud or any WebDAV server.",
  fields: [
    {
      name: "url",
      kind: "address",
      label: "Address",
      help: "Of Nextcloud, of a folder as the browser shows it, or of a WebDAV folder.",
      placeholder: "https://cloud.example.com",
      required: true,
    },
    {
      name: "folder",
      kind: "text",
      label: "Folder",
      help: "Everything if empty.",
      placeholder: "Handbook/Policies",
      required: false,
      isListed: true,
    },
    ignoreField,
    megabytesField(25, 500),
    {
      name: "anyCertificate",
      kind: "switch",
      label: "Accept any certificate",
      help: "For a server with a self-signed certificate.",
      required: false,
      default: false,
      advanced: true,
    },
  ],
  credentialFields: [
    { name: "username", kind: "text", label: "Username", required: false },
    {
      name: "password",
      kind: "secret",
      label: "App password",
      help: "On Nextcloud, from Settings > Security. Elsewhere, the password.",
      required: false,
    },
  ],
  abilities: { permissions: false, changes: false, discovers: false },
};
