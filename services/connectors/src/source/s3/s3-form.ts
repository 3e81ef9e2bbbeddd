import type { ConnectorWire } from "@carrel/contracts";
import { z } from "zod";
import { ignoreField, ignoreLines, megabytesField } from "../../connector/file-rules.ts";
import { readLink } from "../../connector/web-page.ts";

const region = z
  .string()
  .trim()
  .regex(/^[a-z0-9-]{0,50}$/i);

export const s3Settings = z.object({
  /** Of the server, without bucket; empty means Amazon's in the region. */
  endpoint: z
    .string()
    .max(1_000)
    .default("")
    .transform((text, { issues }) => {
      if (text.trim() === "") return "";
      const address = readLink(text);
      const url = address === null ? null : new URL(address);
      if (url !== null && url.username === "") return url.origin;
      issues.push({ code: "custom", input: text, message: "not a web address" });
      return z.NEVER;
    }),
  region: region.default("").transform((text) => text || "us-east-1"),
  /** Absent only as long as one is chosen. */
  bucket: z
    .string()
    .trim()
    .regex(/^(?!\.{1,2}$)[\w.-]{0,255}$/)
    .optional(),
  prefix: z
    .string()
    .max(1_000)
    .default("")
    .transform((text) => text.trim().replace(/^\/+/, "")),
  /** The bucket is in the path of addresses rather than in the name of their host. */
  pathStyle: z.boolean().default(true),
  ignore: ignoreLines.default([]),
  maxMegabytes: z.number().int().min(1).max(500).default(25),
});
export type S3Settings = z.output<typeof s3Settings>;

export const s3Credential = z.object({
  /** Empty: the bucket is read without signing in. */
  accessKey: z.string().trim().max(500).default(""),
  secretKey: z.string().trim().max(5_000).default(""),
});
export type S3Credential = z.output<typeof s3Credential>;

export const s3Form: Omit<ConnectorWire, "id"> = {
  label: "S3 bucket",
  description: "Import the files of a bucket on Amazon S3, MinIO, R2 or a compatible server.",
  fields: [
    {
      name: "endpoint",
      kind: "address",
      label: "Endpoint",
      help: "The server's address. Amazon S3 if empty.",
      placeholder: "https://minio.example.com",
      required: false,
    },
    {
      name: "region",
      kind: "text",
      label: "Region",
      help: "us-east-1 if empty, which most compatible servers accept.",
      placeholder: "eu-central-1",
      required: false,
    },
    { name: "bucket", kind: "text", label: "Bucket", required: true, isListed: true },
    {
      name: "prefix",
      kind: "text",
      label: "Prefix",
      help: "Only files whose keys begin with it. Everything if empty.",
      placeholder: "handbook/",
      required: false,
    },
    ignoreField,
    megabytesField(25, 500),
    {
      name: "pathStyle",
      kind: "switch",
      label: "Bucket in the path",
      help: "Turn it off for servers that expect the bucket in the host name.",
      required: false,
      default: true,
      advanced: true,
    },
  ],
  credentialFields: [
    {
      name: "accessKey",
      kind: "text",
      label: "Access key ID",
      help: "May list the bucket and read its files. None for public buckets.",
      required: false,
    },
    { name: "secretKey", kind: "secret", label: "Secret access key", required: false },
  ],
  abilities: { permissions: false, changes: false, discovers: false },
};
