import type { ConnectorWire } from "@carrel/contracts";
import { z } from "zod";
import { addressSetting, readLink } from "../../connector/web-page.ts";

const lines = z
  .union([z.array(z.string()), z.string().transform((text) => text.split("\n"))])
  .transform((all) => all.map((line) => line.trim()).filter((line) => line !== ""))
  .pipe(z.array(z.string().max(500)).max(100));

export const websiteSettings = z.object({
  /** Where the crawl begins. */
  url: addressSetting(readLink),
  /** 0: only the start and the sitemap; 1: also what the start links to; and so on. */
  depth: z.number().int().min(0).max(10).default(2),
  maxPages: z.number().int().min(1).max(5_000).default(200),
  /** folder: only addresses below the start's folder. */
  scope: z.enum(["folder", "site"]).default("folder"),
  /** Paths that are left out, each with everything below it. */
  exclude: lines.default([]),
  sitemap: z.boolean().default(true),
  /** Also imports PDFs and office files that pages link to. */
  files: z.boolean().default(false),
  /** Runs the scripts of pages, which takes seconds for each. */
  javascript: z.boolean().default(false),
  /** Titles are file names, as existing clients expect, instead of the pages' own. */
  plainTitles: z.boolean().default(false),
});
export type WebsiteSettings = z.output<typeof websiteSettings>;

export const websiteForm: Omit<ConnectorWire, "id"> = {
  label: "Website",
  description: "Import the pages of a site, following its links and sitemap.",
  fields: [
    {
      name: "url",
      kind: "address",
      label: "Start page",
      placeholder: "https://docs.example.com/guide/",
      required: true,
    },
    {
      name: "depth",
      kind: "number",
      label: "Link depth",
      help: "How many links away from the start page Carrel follows.",
      required: false,
      default: 2,
      min: 0,
      max: 10,
    },
    {
      name: "maxPages",
      kind: "number",
      label: "Maximum pages",
      required: false,
      default: 200,
      min: 1,
      max: 5_000,
    },
    {
      name: "scope",
      kind: "choice",
      label: "Part of the site",
      required: false,
      default: "folder",
      options: [
        { value: "folder", label: "Only the start page's folder" },
        { value: "site", label: "The whole site" },
      ],
    },
    {
      name: "files",
      kind: "switch",
      label: "Include linked files",
      help: "PDFs and Office files that pages link to.",
      required: false,
      default: false,
    },
    {
      name: "javascript",
      kind: "switch",
      label: "Run scripts",
      help: "For pages that stay empty without JavaScript. Takes seconds per page, and needs a browser that the administrator set up on the server.",
      required: false,
      default: false,
      advanced: true,
    },
    {
      name: "exclude",
      kind: "lines",
      label: "Excluded paths",
      help: "One per line, such as /blog/archive.",
      required: false,
      default: [],
      advanced: true,
    },
    {
      name: "sitemap",
      kind: "switch",
      label: "Use the sitemap",
      required: false,
      default: true,
      advanced: true,
    },
  ],
  credentialFields: [],
  abilities: { permissions: false, changes: false, discovers: true },
};
