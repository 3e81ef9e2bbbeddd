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
  /** The only way out: public addresses and the allow-list, with limits of size and time. */
  content: ContentClient;
  signal: AbortSignal;
}

/** An external source of documents. `Item` identifies one of its items, such as an address. */
export interface Connector<Settings extends z.ZodType, Item> {
  id: string;
  settings: Settings;
  /** Throws BAD_INPUT if the settings point nowhere. */
  listItems(settings: z.output<Settings>, context: FetchContext): AsyncIterable<Item>;
  /** Throws LINK_UNREACHABLE, LINK_REFUSED or TOO_LARGE. */
  fetchItem(item: Item, settings: z.output<Settings>, context: FetchContext): Promise<FetchedItem>;
}
