import { commaSeparated, type InstanceConfig } from "@carrel/config";
import { z } from "zod";

/** Environment variables specific to this service. */
export const connectorsShape = {
  /**
   * Hosts, addresses or CIDRs of an intranet that links may point to although they aren't public.
   */
  CARREL_LINK_ALLOW: commaSeparated.default([]),
  /** Maximum size of one fetched page or file, in bytes after decompression. */
  CARREL_LINK_MAX_BYTES: z.coerce.number().int().min(1024).default(50_000_000),
  /** Path of a Chromium that runs the scripts of crawled pages; unset, no page's scripts run. */
  CARREL_CRAWL_BROWSER: z.string().optional(),
  /** Folders of the server, by absolute path, whose files sources may import. */
  CARREL_SOURCE_FOLDERS: commaSeparated
    .pipe(z.array(z.string().startsWith("/", { error: "must be absolute paths" })))
    .default([]),
} satisfies z.ZodRawShape;

export type ConnectorsConfig = InstanceConfig &
  Readonly<z.output<z.ZodObject<typeof connectorsShape>>>;
