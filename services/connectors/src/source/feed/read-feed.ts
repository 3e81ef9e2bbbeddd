import { createHash } from "node:crypto";
import { clipText } from "@carrel/contracts";
import type { ContentResponse } from "@carrel/egress";
import { type MarkupNode, parseMarkup, textOf } from "@carrel/markup";
import type { AtomFeed, JsonFeed, parseFeed, RdfFeed, RssFeed } from "feedsmith";
import { z } from "zod";

/** An entry as its feed has it. It is stored, because feeds drop old entries. */
export const feedItem = z.object({
  id: z.string(),
  title: z.string(),
  /** The page it is about; null if it names none. */
  link: z.string().nullable(),
  author: z.string(),
  /** ISO 8601; empty if unknown. */
  published: z.string(),
  feed: z.string(),
  content: z.string(),
  isHtml: z.boolean(),
  /** What relative addresses in the content are resolved against. */
  base: z.string(),
  /** Whether it may have come from the internet, so that it leads to nothing in the intranet. */
  isPublic: z.boolean().default(true),
});
export type FeedItem = z.output<typeof feedItem>;

export interface ReadFeed {
  entries: FeedItem[];
  /** Where its older entries are (RFC 5005); null if it doesn't say, or they are elsewhere. */
  next: string | null;
}

type RssItem = RssFeed.Item<unknown>;
type RdfItem = RdfFeed.Item<unknown>;
type AtomEntry = AtomFeed.Entry<unknown>;
type JsonItem = JsonFeed.Item<unknown>;
/** Feeds seldom have all that their format demands. */
type Loose<T> = T extends (infer Item)[]
  ? Loose<Item>[]
  : T extends object
    ? { [Key in keyof T]?: Loose<T[Key]> | undefined }
    : T;
type Draft = Omit<FeedItem, "feed" | "link" | "isPublic"> & { link: string | undefined };
type Link = Loose<AtomFeed.Link<unknown>>;

const longestId = 2_000;
const longestTitle = 500;
const longestContent = 500_000;

/**
 * Reads RSS 0.9 to 2.0, Atom and JSON Feed; null if it is none of them. `url`: where it was found,
 * against which its links are resolved.
 */
export async function readFeed(
  text: string,
  { url: address, isPublic }: Pick<ContentResponse, "url" | "isPublic">,
  maxEntries: number,
): Promise<ReadFeed | null> {
  // Loaded with the first feed, because every process would pay 20 MB for it.
  const { parseFeed: parse } = await import("feedsmith");
  let parsed: ReturnType<typeof parseFeed>;
  try {
    parsed = parse(text);
  } catch {
    // The parser throws only for what isn't a feed, each format with an error of its own.
    return null;
  }
  const { title, drafts, next } = readFormat(parsed, address, maxEntries);
  const seen = new Set<string>();
  const entries = drafts.flatMap((draft) => {
    const link = readAddress(draft.link, draft.base);
    const hash = createHash("sha256").update(JSON.stringify([draft.title, draft.content]));
    const id = clipText(draft.id || link || hash.digest("hex"), longestId);
    if (seen.has(id)) return [];
    seen.add(id);
    return [{ ...draft, id, link, feed: clipText(title, longestTitle), isPublic }];
  });
  const following = readAddress(next, address);
  const isBelow = following !== null && new URL(following).origin === new URL(address).origin;
  return { entries, next: isBelow ? following : null };
}

function readFormat(parsed: ReturnType<typeof parseFeed>, address: string, maxEntries: number) {
  if (parsed.format === "atom") {
    const feed: Loose<AtomFeed.Feed<unknown>> = parsed.feed;
    const base = readAddress(feed.xml?.base, address) ?? address;
    const drafts = (feed.entries ?? []).slice(0, maxEntries).map((entry) => readAtom(entry, base));
    return { title: readAtomText(feed.title), drafts, next: findNext(feed.links) };
  }
  if (parsed.format === "json") {
    const feed: Loose<JsonFeed.Feed<unknown>> = parsed.feed;
    const drafts = (feed.items ?? []).slice(0, maxEntries).map((item) => readJson(item, address));
    return { title: feed.title ?? "", drafts, next: feed.next_url };
  }
  const feed: Loose<RssFeed.Feed<unknown> | RdfFeed.Feed<unknown>> = parsed.feed;
  const base = readAddress(feed.xml?.base, address) ?? address;
  const drafts = (feed.items ?? []).slice(0, maxEntries).map((item) => readRss(item, base));
  return { title: readTitle(feed.title), drafts, next: findNext(feed.atom?.links) };
}

function readRss(item: Loose<RssItem & RdfItem>, feedBase: string): Draft {
  const { guid } = item;
  const isPermalink = guid?.isPermaLink !== false && /^https?:/i.test(guid?.value ?? "");
  const content = clipContent(item.content?.encoded || item.description);
  return {
    id: guid?.value ?? item.rdf?.about ?? "",
    title: readTitle(item.title ?? item.dc?.titles?.[0]),
    link: item.link || findAlternate(item.atom?.links) || (isPermalink ? guid?.value : undefined),
    author: readTitle(item.authors?.[0]?.name ?? item.dc?.creators?.[0]),
    published: readDate(item.pubDate ?? item.dc?.dates?.[0] ?? item.atom?.updated),
    content,
    isHtml: hasMarkup.test(content),
    base: readAddress(item.xml?.base, feedBase) ?? feedBase,
  };
}

function readAtom(entry: Loose<AtomEntry>, feedBase: string): Draft {
  const { content } = entry;
  const base = readAddress(entry.xml?.base, feedBase) ?? feedBase;
  // Content may be a picture, an XML document or elsewhere.
  const isText = /^(text|html|xhtml|text\/(plain|html))?$/i.test(content?.type ?? "");
  const chosen = (isText && content?.value ? content : entry.summary) ?? {};
  return {
    id: entry.id ?? "",
    title: readAtomText(entry.title),
    link: findAlternate(entry.links),
    author: readTitle(entry.authors?.[0]?.name),
    published: readDate(entry.published ?? entry.updated),
    content: clipContent(chosen.value),
    isHtml: isMarkup(chosen.type),
    base: readAddress(chosen.xml?.base, base) ?? base,
  };
}

function readJson(item: Loose<JsonItem>, base: string): Draft {
  const html = item.content_html ?? "";
  return {
    id: item.id ?? "",
    title: plain(item.title ?? ""),
    link: item.url || item.external_url,
    author: plain(item.authors?.[0]?.name ?? ""),
    published: readDate(item.date_published ?? item.date_modified),
    content: clipContent(html || item.content_text || item.summary),
    isHtml: html !== "",
    base,
  };
}

const clipContent = (text = ""): string => clipText(text, longestContent);
const plain = (text: string): string => clipText(text.replace(/\s+/g, " ").trim(), longestTitle);
const isMarkup = (type = "text"): boolean => /html$/i.test(type);

/** RSS doesn't say what is plain text and what is HTML. */
const hasMarkup = /&#?\w+;|<\/?[a-z][^<>]*>/i;

const readTitle = (text = ""): string =>
  plain(/&#?\w+;|<\/\w/.test(text) ? textOf(parseMarkup(text)) : text);

const readAtomText = (text: Loose<AtomFeed.Text> | undefined): string =>
  plain(isMarkup(text?.type) ? textOf(parseMarkup(text?.value ?? "")) : (text?.value ?? ""));

const findAlternate = (links: Link[] = []): string | undefined =>
  links.find(({ rel, type }) => (rel ?? "alternate") === "alternate" && isMarkup(type ?? "html"))
    ?.href ?? links.find(({ rel }) => (rel ?? "alternate") === "alternate")?.href;

const findNext = (links: Link[] = []): string | undefined =>
  links.find(({ rel }) => rel === "next" || rel === "prev-archive")?.href;

/** A web address without user name; null if it is another one. */
function readAddress(text: string | undefined, base: string): string | null {
  const url = text === undefined || text.trim() === "" ? null : URL.parse(text.trim(), base);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== "")
    return null;
  return url.href.length > longestId ? null : url.href;
}

function readDate(date: unknown): string {
  const time = typeof date === "string" ? Date.parse(date) : NaN;
  return Number.isNaN(time) ? "" : new Date(time).toISOString();
}

const feedTypes = /^application\/(rss\+xml|atom\+xml|rdf\+xml|feed\+json)$/i;

/** The first feed that a page names; null if it names none. */
export function findFeed(html: string, address: string): string | null {
  const find = (nodes: readonly MarkupNode[]): string | null => {
    for (const node of nodes) {
      if (typeof node === "string") continue;
      const { name, attributes, children } = node;
      const isFeed =
        name === "link" &&
        /(^|\s)alternate(\s|$)/i.test(attributes.get("rel") ?? "") &&
        feedTypes.test(attributes.get("type")?.trim() ?? "");
      const found = isFeed ? readAddress(attributes.get("href"), address) : find(children);
      if (found !== null) return found;
    }
    return null;
  };
  return find(parseMarkup(html));
}

/** XML names its charset itself, in a first line of ASCII, unless the server does. */
export function decodeFeed(body: Buffer, contentType: string | null): string {
  const start = body.subarray(0, 200).toString("latin1");
  const declared =
    /charset\s*=\s*["']?([\w-]+)/i.exec(contentType ?? "")?.[1] ??
    /^(?:\xEF\xBB\xBF)?\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w-]+)/i.exec(start)?.[1] ??
    "utf-8";
  const charset = start.startsWith("\xFF\xFE")
    ? "utf-16le"
    : start.startsWith("\xFE\xFF")
      ? "utf-16be"
      : start.startsWith("\xEF\xBB\xBF")
        ? "utf-8"
        : declared;
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    // Unknown to the decoder: most of it is likely ASCII.
    return body.toString("utf8");
  }
}
