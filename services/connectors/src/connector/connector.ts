import type { Readable } from "node:stream";
import {
  CarrelError,
  type ConnectorWire,
  type DocumentSource,
  type KnownFault,
} from "@carrel/contracts";
import type { ContentClient } from "@carrel/egress";
import type { z } from "zod";
import type { ReceivedPage } from "./page-renderer.ts";

/** An item as its source lists it, before it is fetched. */
export interface ListedItem<Item = unknown> {
  /** Identifies it in its source for good, whatever else about it changes. */
  externalId: string;
  /** What `fetch` needs; stored as JSON, so that another process can continue. */
  item: Item;
  title: string;
  /** Shown to people. */
  address: string;
  /** Changes whenever its content does; an item whose document has it isn't fetched again. */
  version?: string;
  bytes?: number;
  /** It is listed with this reason, but not fetched. */
  skip?: KnownFault;
  /** From `changes` only: the source no longer has it. */
  isGone?: true;
}

export interface ListedPage<Item = unknown> {
  items: ListedItem<Item>[];
  /** Where the next page begins; null on the last one. */
  next: string | null;
  /** Part of the source couldn't be listed, so what isn't listed in this run isn't taken for gone. */
  isPartial?: true;
  /**
   * Like `isPartial`, but documents that aren't listed in this run are fetched at its end, which
   * tells what is gone.
   */
  asksUnlisted?: true;
  /** Like `isPartial`, but only of the items that contain this. */
  leftOut?: Partial<Item>;
  /** On the last page: where `changes` may begin next time. */
  mark?: string;
}

/** What `changes` throws if it can't tell from this mark: everything is listed then. */
export class MarkLostError extends Error {
  override readonly name = "MarkLostError";
}

/** What `fetch` throws if only this item has to wait, because it is on another server. */
export class ItemBusyError extends CarrelError {
  constructor(host: string, retryAfter: number) {
    super("source.busy", { host }, { retryAfter });
  }
}

/**
 * Who may see an item at its source. Nobody in the lists: whoever imports it, which is also what a
 * restricted item says whose list can't be read. A source that tells accounts tells everybody's, and
 * the e-mails of some of them.
 */
export type AccessList = "everyone" | { emails: string[]; accounts: string[] };
export const nobody: AccessList = { emails: [], accounts: [] };

export interface FetchedDocument {
  kind: "document";
  /** Read once, or destroyed. */
  body: Readable;
  filename: string;
  mime: string | null;
  source: Exclude<DocumentSource, { kind: "upload" }>;
  metadata: Partial<
    Record<"title" | "url" | "docAuthor" | "description" | "docSource" | "published", string>
  >;
  /** Passed to `fetch` next time; by default the listed one. */
  version?: string;
  /** Items with the same fingerprint are copies: only the first becomes a document. */
  fingerprint?: string;
  access?: AccessList;
  /** Folder for existing clients' imports, where only the item tells it; see `folderOf`. */
  folder?: string;
}

/** What became of one item. `discovered`: more items that it leads to. */
export type Fetched<Item = unknown> = (
  | FetchedDocument
  | { kind: "unchanged" }
  | { kind: "skipped"; fault: KnownFault }
) & { discovered?: ListedItem<Item>[] };

/** A source that is open for some seconds, with its settings and credential. */
export interface Source<Item = unknown> {
  limits: {
    /** Items fetched at the same time. */
    parallel: number;
    /** Between two items or pages, in ms; whatever else is read from the same host meanwhile. */
    pauseMs?: number;
    /** The run ends once so many items are documents. */
    maxDocuments: number;
    /** No more items are recorded than this. */
    maxItems: number;
  };
  /** Throws if the source can't be read. */
  check(): Promise<void>;
  list(cursor: string | null): Promise<ListedPage<Item>>;
  /** What was added, changed and deleted since a mark; only if the source can tell. */
  changes?(mark: string, cursor: string | null): Promise<ListedPage<Item>>;
  /**
   * Waits, before a place among those who fetch is taken, for what many items share; throws like
   * `fetch`, which is called next.
   */
  prepare?(item: Item): Promise<void>;
  /**
   * `version`: that of the document it is already, for a conditional request. Throws
   * `source.missing` if it no longer exists and BUSY, with the seconds to wait, if the source asks
   * to wait; `ItemBusyError` lets others go on; retryable errors are tried again.
   */
  fetch(item: Item, version: string | null): Promise<Fetched<Item>>;
  /**
   * A listed item as its source has it now, asked for before one is fetched outside of a run; null
   * if it is gone. Only where what was listed leads to the content of that time; `fetch` is called
   * unless the version is the same.
   */
  current?(item: Item): Promise<ListedItem<Item> | null>;
  /**
   * Who may see these items now, in their order, asked every hour apart from their contents, and for
   * a fetched item that doesn't say it; null keeps what is known, and of a new item it means nobody.
   * Only if the source can tell without fetching them.
   */
  access?(items: readonly Item[]): Promise<(AccessList | null)[]>;
}

export interface SourceContext {
  /** The only network access: public addresses and the allow-list, with size and time limits. */
  content: ContentClient;
  /** Public addresses only, for what the internet names. */
  others?: ContentClient;
  signal: AbortSignal;
  /** Runs a page's scripts and returns its HTML; absent unless the administrator allows it. */
  render?: (page: ReceivedPage) => Promise<string>;
  /** Folders of the server that may be read; by default none. */
  folders?: readonly string[];
  /** A folder on disk for what must not fill the memory; the system's by default. */
  scratch?: string;
}

/** Whom a source that is watched tells what happens to it. */
export interface SourceListener {
  /** Something may have changed. */
  onChange(): void;
  /** Nothing more will be told. */
  onEnd(): void;
}

/**
 * A kind of source. One folder in `source`, whose `<name>.connector.ts` exports it as `connector`;
 * nothing else lists it.
 */
export interface Connector<
  Settings extends z.ZodType = z.ZodType,
  Credential extends z.ZodType = z.ZodType,
  Item extends z.ZodType = z.ZodType,
> {
  id: string;
  /** The form; null for a connector that people can't choose. */
  form: Omit<ConnectorWire, "id"> | null;
  /** Offered only where the administrator has allowed folders of the server. */
  needsFolders?: true;
  settings: Settings;
  /** Accepts `{}` if the source can be read without one. */
  credential: Credential;
  item: Item;
  /** What the source is called unless a person names it. */
  nameOf(settings: z.output<Settings>): string;
  /** What the folder begins with that existing clients' imports go to; the library's by default. */
  folderOf?(settings: z.output<Settings>): string;
  /** The only origin that the credential may be sent to. */
  originOf(settings: z.output<Settings>): string;
  /**
   * What may be chosen in a field that is `isListed`. Such fields may be absent from the settings,
   * which then mean the source's default.
   */
  choices?(
    field: string,
    settings: z.output<Settings>,
    credential: z.output<Credential>,
    context: SourceContext,
  ): Promise<string[]>;
  open(
    settings: z.output<Settings>,
    credential: z.output<Credential>,
    context: SourceContext,
  ): Promise<Source<z.output<Item>>>;
  /**
   * Tells of changes as they happen, until the returned function is called; only where waiting for
   * them costs next to nothing. Throws if the source can't be watched now.
   */
  watch?(
    settings: z.output<Settings>,
    folders: readonly string[],
    listener: SourceListener,
  ): Promise<() => Promise<void>>;
}

/** Checks a connector's types, and hides them from those who use any connector. */
export const defineConnector = <
  Settings extends z.ZodType,
  Credential extends z.ZodType,
  Item extends z.ZodType,
>(
  connector: Connector<Settings, Credential, Item>,
): Connector<Settings, Credential, Item> => connector;
