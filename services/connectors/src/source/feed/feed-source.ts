import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { CarrelError, clipText } from "@carrel/contracts";
import type { ContentClient, ContentResponse } from "@carrel/egress";
import { parseMarkup, writeMarkdown } from "@carrel/markup";
import { z } from "zod";
import {
  ItemBusyError,
  type Fetched,
  type FetchedDocument,
  type ListedItem,
  type ListedPage,
  type Source,
  type SourceContext,
} from "../../connector/connector.ts";
import { isReadable, toFilename } from "../../connector/file-type.ts";
import { Memo } from "../../connector/memo.ts";
import { readPage, readRobots } from "../../connector/read-page.ts";
import { readRobotsFile, type Robots } from "../../connector/robots-file.ts";
import { throwStatus } from "../../connector/source-fault.ts";
import { readConditions, writeValidators } from "../../connector/validators.ts";
import { acceptPages, buildLinkFilename, toUtf8 } from "../../connector/web-page.ts";
import { FeedClient } from "./feed-client.ts";
import type { FeedCredential, FeedSettings } from "./feed-form.ts";
import { decodeFeed, findFeed, readFeed, type FeedItem, type ReadFeed } from "./read-feed.ts";

const accept =
  "application/rss+xml, application/atom+xml, application/feed+json, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5";
/** The parser takes about a second for each MB at worst, in which nothing else happens. */
const maxFeedBytes = 5_000_000;
const maxPageBytes = 10_000_000;
/** Of entries that stay documents after their feed has dropped them. */
const maxDocuments = 50_000;
/** A feed that never stops naming an older part is left there. */
const maxParts = 200;

/** The next part of a feed, and what the first one said of its version. */
const listCursor = z.object({
  url: z.string(),
  /** Whether it was named by the internet. */
  isPublic: z.boolean().default(true),
  parts: z.number().int(),
  /** How many entries may still be listed. */
  left: z.number().int(),
  mark: z.string().nullable(),
});

/**
 * The entries of a feed. A feed is a window: what it no longer has isn't gone, so no listing is
 * complete.
 */
export class FeedSource implements Source<FeedItem> {
  readonly limits;
  readonly changes?: (mark: string, cursor: string | null) => Promise<ListedPage<FeedItem>>;
  private readonly robots = new Memo<Robots>();
  private readonly client: FeedClient;
  /** Until when other hosts want to be left alone, in ms. */
  private readonly busyUntil = new Map<string, number>();

  constructor(
    private readonly settings: FeedSettings,
    private readonly credential: FeedCredential,
    private readonly context: SourceContext,
  ) {
    this.client = new FeedClient(settings.url, context);
    this.limits = {
      parallel: 2,
      ...(settings.fullPages && { pauseMs: 250 }),
      maxDocuments,
      maxItems: settings.maxEntries,
    };
    // A page may change while its entry doesn't.
    if (!settings.fullPages) this.changes = (mark, cursor) => this.listPart(cursor, mark);
  }

  async check(): Promise<void> {
    const found = await this.open({ url: this.settings.url, isPublic: false }, null);
    if (found?.feed.entries.length === 0) throw new CarrelError("source.nothing-found");
  }

  list(cursor: string | null): Promise<ListedPage<FeedItem>> {
    return this.listPart(cursor, null);
  }

  /** `known`: of the feed's version that was listed before. */
  private async listPart(
    cursor: string | null,
    known: string | null,
  ): Promise<ListedPage<FeedItem>> {
    const at =
      cursor === null
        ? {
            url: this.settings.url,
            // A person chose it.
            isPublic: false,
            parts: 0,
            left: this.settings.maxEntries,
            mark: null,
          }
        : listCursor.parse(JSON.parse(cursor));
    const found = await this.open(at, cursor === null ? known : null);
    if (found === null)
      return { items: [], next: null, isPartial: true, ...(known !== null && { mark: known }) };
    const mark = cursor === null ? found.version : at.mark;
    const { entries, next } = found.feed;
    const { isPublic } = found;
    const parts = at.parts + 1;
    const left = at.left - entries.length;
    const isLast = next === null || entries.length === 0 || left <= 0 || parts >= maxParts;
    return {
      items: entries.slice(0, at.left).map((entry) => this.toListed(entry)),
      next: isLast ? null : JSON.stringify({ url: next, isPublic, parts, left, mark }),
      isPartial: true,
      ...(isLast && mark !== null && { mark }),
    };
  }

  /** Also through a page that names it; null if it still has this version. */
  private async open(
    { url, isPublic }: { url: string; isPublic: boolean },
    version: string | null,
  ): Promise<{ feed: ReadFeed; version: string | null; isPublic: boolean } | null> {
    const conditions = readConditions(version);
    const reply = await this.ask(url, isPublic, conditions);
    if (reply === null) return null;
    const read = await this.read(reply);
    if (read !== null)
      return { feed: read, version: writeValidators(reply.headers), isPublic: reply.isPublic };
    const named = findFeed(decodeFeed(reply.body, reply.headers.get("content-type")), reply.url);
    const other = named === null ? null : await this.ask(named, reply.isPublic, {});
    const feed = other === null ? null : await this.read(other);
    if (other === null || feed === null) {
      const { host } = new URL(reply.url);
      throw new CarrelError("source.not-recognised", { host, name: "a feed" });
    }
    // Whether the page has changed says nothing about the feed.
    return { feed, version: null, isPublic: other.isPublic };
  }

  private read(reply: ContentResponse): Promise<ReadFeed | null> {
    const text = decodeFeed(reply.body, reply.headers.get("content-type"));
    return readFeed(text, reply, this.settings.maxEntries);
  }

  /** null if the conditions say that it is known. `isPublic`: see `FeedClient`. */
  private async ask(
    url: string,
    isPublic: boolean,
    conditions: Record<string, string>,
  ): Promise<ContentResponse | null> {
    const reply = await this.client.fetch(url, isPublic, {
      maxBytes: maxFeedBytes,
      headers: conditions,
      headersFor: (address) => ({ accept, ...this.signInAt(address) }),
    });
    if (reply.status === 304 && Object.keys(conditions).length > 0) return null;
    if (reply.status < 200 || reply.status > 299) throwStatus(reply);
    return reply;
  }

  private signInAt(url: string): Record<string, string> {
    const { username, password } = this.credential;
    const isOwn = new URL(url).origin === new URL(this.settings.url).origin;
    if (!isOwn || username + password === "") return {};
    const text = Buffer.from(`${username}:${password}`).toString("base64");
    return { authorization: `Basic ${text}` };
  }

  private toListed(entry: FeedItem): ListedItem<FeedItem> {
    const { fullPages } = this.settings;
    return {
      externalId: entry.id,
      item: fullPages && entry.link !== null ? { ...entry, content: "" } : entry,
      title: titleOf(entry),
      address: entry.link ?? this.settings.url,
      // Whether a page has changed, only the page can tell.
      ...(!(fullPages && entry.link !== null) && { version: versionOf(entry) }),
    };
  }

  async fetch(entry: FeedItem, version: string | null): Promise<Fetched<FeedItem>> {
    if (this.settings.fullPages && entry.link !== null)
      return this.fetchPage(entry, entry.link, version).catch((error: unknown) => {
        throw this.toItemFault(error);
      });
    if (version === versionOf(entry)) return { kind: "unchanged" };
    const { content, isHtml, base } = entry;
    const text = isHtml ? writeMarkdown(parseMarkup(content), entry.link ?? base) : content.trim();
    if (text === "") return { kind: "skipped", fault: { code: "source.item-empty" } };
    const title = titleOf(entry);
    return {
      ...this.toDocument(entry),
      body: Readable.from([Buffer.from(`# ${title}\n\n${text}\n`)]),
      filename: toFilename(title, ".md"),
      mime: "text/markdown",
      version: versionOf(entry),
    };
  }

  /** A site that the feed only links to doesn't hold up entries on others. */
  private toItemFault(error: unknown): unknown {
    if (!(error instanceof CarrelError) || error.code !== "source.busy") return error;
    const { params, retryAfter } = error;
    const host = String(params["host"]);
    if (host === new URL(this.settings.url).host || retryAfter === undefined) return error;
    this.busyUntil.set(host, Date.now() + retryAfter * 1_000);
    return new ItemBusyError(host, retryAfter);
  }

  private async fetchPage(
    entry: FeedItem,
    link: string,
    version: string | null,
  ): Promise<Fetched<FeedItem>> {
    const { host } = new URL(link);
    const waitMs = (this.busyUntil.get(host) ?? 0) - Date.now();
    if (waitMs > 0) throw new ItemBusyError(host, Math.ceil(waitMs / 1_000));
    if (!(await this.allows(new URL(link), entry)))
      return { kind: "skipped", fault: { code: "source.robots", params: { host } } };
    const reply = await this.client.fetch(link, entry.isPublic, {
      maxBytes: maxPageBytes,
      headers: readConditions(version),
      headersFor: (address) => ({ accept: acceptPages, ...this.signInAt(address) }),
      mayFollow: (target) => this.allows(target, entry),
    });
    if (reply.status === 304) return { kind: "unchanged" };
    if (reply.status < 200 || reply.status > 299) throwStatus(reply);
    const { mime, headers, url } = reply;
    const isPage = mime === null || /^(text\/html|application\/xhtml\+xml)$/.test(mime);
    if (!isPage && !isReadable(new URL(url).pathname, mime))
      return { kind: "skipped", fault: { code: "source.type-unwanted" } };
    const validators = writeValidators(headers);
    const document = {
      ...this.toDocument(entry),
      mime,
      ...(validators !== null && { version: validators }),
    };
    if (!isPage)
      return {
        ...document,
        body: Readable.from([toUtf8(reply.body, headers.get("content-type"))]),
        filename: buildLinkFilename(url, mime),
      };
    const body = toUtf8(reply.body, headers.get("content-type"));
    const page = readPage(body.toString(isUtf8(body) ? "utf8" : "latin1"));
    readRobots(page, headers.get("x-robots-tag") ?? "");
    if (!page.mayIndex) return { kind: "skipped", fault: { code: "source.no-index" } };
    return {
      ...document,
      body: Readable.from([body]),
      filename: toFilename(titleOf(entry), ".html"),
      ...(page.fingerprint !== null && { fingerprint: page.fingerprint }),
    };
  }

  private async allows({ origin, href }: URL, { isPublic }: FeedItem): Promise<boolean> {
    const { client, context } = this;
    const content: Pick<ContentClient, "fetch"> = {
      fetch: (address, init) => client.fetch(address, isPublic, init),
    };
    const { allows } = await this.robots.get(`${isPublic} ${origin}`, () =>
      readRobotsFile(origin, { content, signal: context.signal }),
    );
    return allows(href);
  }

  private toDocument(entry: FeedItem): Omit<FetchedDocument, "body" | "filename" | "mime"> {
    const { author, feed, published } = entry;
    const address = entry.link ?? this.settings.url;
    const title = titleOf(entry);
    return {
      kind: "document",
      source: { kind: "connector", connector: "feed", reference: address },
      metadata: {
        title,
        url: address,
        docAuthor: author || feed || "no author found",
        description: clipText(title, 1_000),
        docSource: feed || new URL(this.settings.url).host,
        ...(published !== "" && { published }),
      },
    };
  }
}

const titleOf = ({ title, link, id }: FeedItem): string => title || link || clipText(id, 200);

/** The same whatever the order of its fields, which changes when it is stored. */
const versionOf = (entry: FeedItem): string =>
  createHash("sha256")
    .update(JSON.stringify(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .digest("hex");
