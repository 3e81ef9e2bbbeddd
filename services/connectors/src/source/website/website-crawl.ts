import { isUtf8 } from "node:buffer";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { CarrelError, clipText, type KnownFault } from "@carrel/contracts";
import { EgressError } from "@carrel/egress";
import { z } from "zod";
import type {
  Fetched,
  FetchedDocument,
  ListedItem,
  ListedPage,
  SourceContext,
} from "../../connector/connector.ts";
import type { ReceivedPage } from "../../connector/page-renderer.ts";
import { readPage, readRobots, readSitemap, type CrawledPage } from "../../connector/read-page.ts";
import { readRobotsFile, type Robots } from "../../connector/robots-file.ts";
import { throwStatus } from "../../connector/source-fault.ts";
import { readConditions, writeValidators } from "../../connector/validators.ts";
import { acceptPages, buildLinkFilename, toUtf8 } from "../../connector/web-page.ts";
import {
  identityOf,
  isInScope,
  isMedia,
  isTrap,
  normalise,
  scopeOf,
  type CrawlScope,
} from "./crawl-address.ts";
import type { WebsiteSettings } from "./website-form.ts";

/** One address of a crawl. */
export const crawlItem = z.object({
  url: z.url(),
  /** Links from the start. */
  depth: z.number().int(),
  scope: z.object({ origin: z.string(), path: z.string() }),
});
type CrawlItem = z.output<typeof crawlItem>;
type Item = ListedItem<CrawlItem>;

interface Reply {
  url: string;
  status: number;
  headers: Headers;
  mime: string | null;
  body: Readable;
  isPublic: boolean;
}

/** Sitemaps that are still to be read. */
const sitemapCursor = z.object({
  scope: crawlItem.shape.scope,
  left: z.array(z.string()),
  /** How many were read. */
  read: z.number().int(),
});

const maxPageBytes = 10_000_000;
const maxSitemaps = 50;
const maxSitemapBytes = 10_000_000;
/** Addresses that differ only in their parameters, per page that links to them. */
const maxVariants = 20;
const pageTypes = new Set(["text/html", "application/xhtml+xml"]);
const textTypes = new Set(["text/plain", "text/markdown"]);
const fileTypes = /^(application\/(pdf|epub\+zip|rtf|msword|vnd\.(openxmlformats|oasis|ms-)))/;
const unpack = promisify(gunzip);

/** Follows the links of a site. What it finds is stored with the run, so any process can go on. */
export class WebsiteCrawl {
  private readonly robots = new Map<string, Promise<Robots>>();

  constructor(
    private readonly settings: WebsiteSettings,
    private readonly context: SourceContext,
  ) {}

  /** Each origin's robots.txt is read once; the start may redirect to another origin. */
  robotsOf(origin: string): Promise<Robots> {
    const read = this.robots.get(origin) ?? readRobotsFile(origin, this.context);
    this.robots.set(origin, read);
    return read;
  }

  /** The fault of an address that robots.txt forbids. */
  async findRefusal({ origin, href, host }: URL): Promise<KnownFault | null> {
    const { allows } = await this.robotsOf(origin);
    return allows(href) ? null : { code: "source.robots", params: { host } };
  }

  /** The start first, then one sitemap per page; links are found by fetching. */
  async list(cursor: string | null): Promise<ListedPage<CrawlItem>> {
    if (cursor === null) return this.listStart();
    const { scope, left, read } = sitemapCursor.parse(JSON.parse(cursor));
    const [next, ...rest] = left;
    const { pages, sitemaps } = await this.readSitemapAt(next!);
    // Only sitemaps of this site: an index may name any address.
    const more = sitemaps.filter(
      (address) => normalise(address, scope.origin)?.origin === scope.origin,
    );
    const { depth, maxPages } = this.settings;
    return {
      items: this.choose(pages, scope.origin, scope, Math.min(1, depth), maxPages * 2),
      next: writeCursor(scope, [...rest, ...more], read + 1),
    };
  }

  private async listStart(): Promise<ListedPage<CrawlItem>> {
    const { settings } = this;
    // Many sites redirect to another host (www) or folder: the crawl is about that one.
    const reply = await this.open(settings.url, {}, () => true);
    reply.body.destroy();
    const refusal = await this.findRedirectRefusal(reply);
    if (refusal !== null) throw CarrelError.fromFault(refusal);
    if (reply.status < 200 || reply.status > 299) throwStatus(reply);
    const reached = reply.url;
    const start = normalise(reached, reached);
    if (start === null) throw new CarrelError("link.invalid");
    const scope = scopeOf(start, settings.scope === "site");
    const robots = await this.robotsOf(start.origin);
    const named = settings.sitemap ? [...robots.sitemaps, `${start.origin}/sitemap.xml`] : [];
    const sitemaps = [...new Set(named)].filter(
      (address) => normalise(address, start)?.origin === start.origin,
    );
    return { items: [toItem(start, 0, scope)], next: writeCursor(scope, sitemaps, 0) };
  }

  async fetch(item: CrawlItem, version: string | null): Promise<Fetched<CrawlItem>> {
    const url = new URL(item.url);
    const refusal = await this.findRefusal(url);
    if (refusal !== null) return { kind: "skipped", fault: refusal };
    // Another address is an item of its own.
    const isSame = (target: URL): boolean =>
      this.isWanted(target, item.scope) && identityOf(target) === identityOf(url);
    const reply = await this.open(item.url, readConditions(version), isSame);
    try {
      return await this.read(reply, item);
    } catch (error) {
      reply.body.destroy();
      throw error;
    }
  }

  /** The reply's body is used up, destroyed or handed over. */
  private async read(reply: Reply, item: CrawlItem): Promise<Fetched<CrawlItem>> {
    const { mime } = reply;
    const reached = normalise(reply.url, reply.url);
    const isPage = mime === null || pageTypes.has(mime);
    const isFile =
      mime !== null && (textTypes.has(mime) || (this.settings.files && fileTypes.test(mime)));
    const skip = (fault: KnownFault): Fetched<CrawlItem> => {
      reply.body.destroy();
      return { kind: "skipped", fault };
    };
    if (reply.status === 304) {
      reply.body.destroy();
      return { kind: "unchanged" };
    }
    if (reached === null || !this.isWanted(reached, item.scope))
      return skip({ code: "source.out-of-scope", params: { address: reply.url } });
    const target = readTarget(reply);
    if (target !== null) {
      const address = target.href;
      const wanted = this.choose([address], target, item.scope, item.depth);
      if (wanted.length === 0) return skip({ code: "source.out-of-scope", params: { address } });
      const refused = await this.findRefusal(target);
      const moved = { code: "source.moved", params: { address } } as const;
      return { ...skip(refused ?? moved), discovered: refused === null ? wanted : [] };
    }
    if (reply.status < 200 || reply.status > 299) throwStatus(reply);
    if (isPage) return this.readPage(reply, reached, item);
    if (!isFile) return skip({ code: "source.type-unwanted" });
    return this.toDocument(reply, reply.body, reached, null);
  }

  /** Follows redirects that are wanted, if robots.txt lets them; otherwise they are the reply. */
  private async open(
    url: string,
    headers: Record<string, string>,
    isWanted: (target: URL) => boolean,
  ): Promise<Reply> {
    const { content, signal } = this.context;
    let failure: unknown;
    const mayFollow = async (to: URL): Promise<boolean> => {
      const target = normalise(to.href, to);
      if (target === null || !isWanted(target)) return false;
      try {
        return (await this.findRefusal(target)) === null;
      } catch (error) {
        // Its own reason says more than that the redirect failed.
        failure = error;
        return false;
      }
    };
    const reply = await content.open(url, {
      signal,
      headers: { accept: acceptPages, ...headers },
      decompress: true,
      mayFollow,
    });
    if (failure !== undefined) {
      reply.body.destroy();
      throw failure;
    }
    return { ...reply, mime: readMime(reply.headers) };
  }

  /** The fault of a redirect that wasn't followed, because robots.txt forbids its target. */
  private async findRedirectRefusal(reply: Reply): Promise<KnownFault | null> {
    const target = readTarget(reply);
    return target === null ? null : this.findRefusal(target);
  }

  private async readPage(reply: Reply, reached: URL, item: CrawlItem): Promise<Fetched<CrawlItem>> {
    const sent = await readAll(reply.body, maxPageBytes);
    const contentType = reply.headers.get("content-type");
    const body = this.settings.javascript
      ? await this.render({
          url: reached.href,
          contentType: contentType ?? "text/html",
          html: sent,
          isPublic: reply.isPublic,
        })
      : toUtf8(sent, contentType);
    // Only the parser can tell what other texts say; their links are plain ASCII.
    const isReadable = isUtf8(body);
    const page = readPage(body.toString(isReadable ? "utf8" : "latin1"));
    readRobots(page, reply.headers.get("x-robots-tag") ?? "");
    const base = (page.base !== null && normalise(page.base, reached)) || reached;
    const depth = item.depth + 1;
    const discovered =
      page.mayFollow && depth <= this.settings.depth
        ? this.choose(page.links, base, item.scope, depth)
        : [];
    if (!page.mayIndex) return { kind: "skipped", fault: { code: "source.no-index" }, discovered };
    const canonical = page.canonical === null ? null : normalise(page.canonical, base);
    if (
      canonical !== null &&
      this.isWanted(canonical, item.scope) &&
      isPreferred(canonical, reached)
    )
      return {
        kind: "skipped",
        fault: { code: "source.canonical", params: { address: canonical.href } },
        discovered: [toItem(canonical, item.depth, item.scope), ...discovered],
      };
    const known = isReadable ? page : { ...page, title: "", author: "", description: "" };
    return { ...this.toDocument(reply, Readable.from([body]), reached, known), discovered };
  }

  private async render(page: ReceivedPage): Promise<Buffer> {
    const { render } = this.context;
    if (render === undefined) throw new CarrelError("source.no-browser");
    return Buffer.from(await render(page));
  }

  private toDocument(
    { mime, headers }: Reply,
    body: Readable,
    reached: URL,
    page: CrawledPage | null,
  ): FetchedDocument {
    const filename = buildLinkFilename(reached.href, mime);
    // What scripts load may change while the page itself doesn't.
    const version = this.settings.javascript && page !== null ? null : writeValidators(headers);
    return {
      kind: "document",
      body,
      filename,
      mime,
      source: { kind: "link", url: reached.href },
      metadata: {
        title: (!this.settings.plainTitles && page?.title) || filename,
        url: `file://${filename}`,
        docAuthor: clipText(page?.author ?? "", 200) || "no author found",
        description: clipText(page?.description ?? "", 1_000) || "No description found.",
        docSource: "URL link uploaded by the user.",
        ...(page?.published && { published: page.published.slice(0, 100) }),
      },
      ...(version !== null && { version }),
      ...(page?.fingerprint && { fingerprint: page.fingerprint }),
    };
  }

  /** The addresses among `links` that belong to the crawl, each once. */
  private choose(
    links: readonly string[],
    base: string | URL,
    scope: CrawlScope,
    depth: number,
    limit = Infinity,
  ): Item[] {
    const chosen = new Map<string, Item>();
    const variants = new Map<string, number>();
    for (const link of links) {
      if (chosen.size >= limit) break;
      const url = normalise(link, base);
      if (url === null || isMedia(url) || isTrap(url) || !this.isWanted(url, scope)) continue;
      const item = toItem(url, depth, scope);
      if (chosen.has(item.externalId)) continue;
      if (url.search !== "") {
        const count = (variants.get(url.pathname) ?? 0) + 1;
        variants.set(url.pathname, count);
        if (count > maxVariants) continue;
      }
      chosen.set(item.externalId, item);
    }
    return [...chosen.values()];
  }

  private isWanted(url: URL, scope: CrawlScope): boolean {
    const isExcluded = this.settings.exclude.some((path) =>
      `${url.pathname}/`.startsWith(`/${path.replace(/^\/+|\/+$/g, "")}/`),
    );
    return isInScope(url, scope) && !isExcluded;
  }

  /** A sitemap that is missing, broken or out of reach names no pages. */
  private async readSitemapAt(address: string) {
    const { content, signal } = this.context;
    const reply = await content.fetch(address, { signal }).catch((error: unknown) => {
      if (signal.aborted || !(error instanceof EgressError)) throw error;
      return null;
    });
    if (reply === null) return { pages: [], sitemaps: [] };
    if (reply.status === 429) throwStatus(reply);
    if (reply.status < 200 || reply.status > 299) return { pages: [], sitemaps: [] };
    const isPacked = reply.body[0] === 0x1f && reply.body[1] === 0x8b;
    const bytes = isPacked
      ? await unpack(reply.body, { maxOutputLength: maxSitemapBytes }).catch(() => null)
      : reply.body.subarray(0, maxSitemapBytes);
    return readSitemap(bytes?.toString("utf8") ?? "");
  }
}

async function readAll(body: Readable, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) throw new CarrelError("link.too-large");
    parts.push(part);
  }
  return Buffer.concat(parts, bytes);
}

/** Where a reply redirects to; null if it doesn't, or to no web address. */
function readTarget({ status, headers, url }: Reply): URL | null {
  const location = headers.get("location");
  return status >= 301 && status <= 308 && location !== null ? normalise(location, url) : null;
}

/** Lower case, without parameters. */
const readMime = (headers: Headers): string | null =>
  headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() || null;

const toItem = (url: URL, depth: number, scope: CrawlScope): Item => ({
  externalId: identityOf(url),
  item: { url: url.href, depth, scope },
  title: url.href,
  address: url.href,
});

/** At most `maxSitemaps` are read, so that indexes which name each other end. */
const writeCursor = (scope: CrawlScope, left: readonly string[], read: number): string | null =>
  left.length === 0 || read >= maxSitemaps
    ? null
    : JSON.stringify({ scope, left: left.slice(0, maxSitemaps), read });

/**
 * Whether a page's canonical address is to be fetched in its place. An order of addresses decides,
 * because pages that name each other would both be skipped otherwise.
 */
const isPreferred = (canonical: URL, own: URL): boolean =>
  identityOf(canonical) !== identityOf(own) &&
  (canonical.href.length < own.href.length ||
    (canonical.href.length === own.href.length && canonical.href < own.href));
