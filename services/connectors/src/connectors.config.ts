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
  /** Of files that are published to a folder; unset, the umask of the process. */
  CARREL_UMASK: z
    .string()
    .regex(/^0?[0-7]{3}$/, "must be an octal number such as 022")
    .transform((octal) => Number.parseInt(octal, 8))
    .optional(),
  /**
   * Which skills of a community hub may be downloaded until an admin chooses: `allow_all` means all
   * of them, anything else those that the hub has verified.
   */
  COMMUNITY_HUB_BUNDLE_DOWNLOADS_ENABLED: z.string().optional(),
} satisfies z.ZodRawShape;

export type ConnectorsConfig = InstanceConfig &
  Readonly<z.output<z.ZodObject<typeof connectorsShape>>>;
