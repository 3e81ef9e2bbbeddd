import type { DocumentSource } from "@carrel/contracts";
import type { ContentClient } from "@carrel/egress";
import type { z } from "zod";

/** One item of an external source, as fetched; it becomes one document. */
export interface FetchedItem {
  body: Buffer;
  filename: string;
  mime: string | null;
  source: Exclude<DocumentSource, { kind: "upload" }>;
  metadata: Record<"title" | "url" | "docAuthor" | "description" | "docSource", string>;
}

export interface FetchContext {
  /** The only network access: public addresses and the allow-list, with size and time limits. */
  content: ContentClient;
  signal: AbortSignal;
}

/**
 * An external source of documents. An import stores the settings and items as JSON, so that it can
 * continue in another process.
 */
export interface Connector<
  Settings extends z.ZodType = z.ZodType,
  Item extends z.ZodType = z.ZodType,
> {
  id: string;
  settings: Settings;
  /** Identifies one of its items, such as an address. */
  item: Item;
  /** Throws BAD_INPUT if the settings name no source. */
  listItems(settings: z.output<Settings>, context: FetchContext): AsyncIterable<z.output<Item>>;
  /** Throws LINK_UNREACHABLE, LINK_REFUSED or TOO_LARGE. */
  fetchItem(
    item: z.output<Item>,
    settings: z.output<Settings>,
    context: FetchContext,
  ): Promise<FetchedItem>;
}
