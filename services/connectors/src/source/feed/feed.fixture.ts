import type { RequestListener, ServerResponse } from "node:http";
import { createContentClient, type ContentClient } from "@carrel/egress";
import type { FixtureServer } from "../../../test/fixture-server.ts";
import type { SourceContext } from "../../connector/connector.ts";

/*
 * Written from RSS 2.0 (rssboard.org), RSS 1.0 with its content module (web.resource.org), RFC 4287
 * and RFC 5005 (Atom, paged feeds) and JSON Feed 1.1 (jsonfeed.org).
 */

export interface FixtureEntry {
  id: string;
  title: string;
  /** HTML. */
  content: string;
  link?: string;
  date?: string;
}

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The formats, each as a writer of a feed whose next part is at `next`. */
const writers = {
  rss: (entries: FixtureEntry[], next: string | null) => `<?xml version="1.0" encoding="utf-8"?>
    <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
      xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
    <title>Tides &amp; bells</title><link>https://news.example/</link><description>News</description>
    ${next === null ? "" : `<atom:link rel="next" href="${next}"/>`}
    ${entries
      .map(
        ({ id, title, content, link, date }) => `<item><title>${escape(title)}</title>
        ${link === undefined ? "" : `<link>${escape(link)}</link>`}
        <guid isPermaLink="false">${escape(id)}</guid><dc:creator>Eva</dc:creator>
        ${date === undefined ? "" : `<pubDate>${new Date(date).toUTCString()}</pubDate>`}
        <enclosure url="https://news.example/episode.mp3" length="1" type="audio/mpeg"/>
        <description>Only a summary</description>
        <content:encoded><![CDATA[${content}]]></content:encoded></item>`,
      )
      .join("")}</channel></rss>`,
  rdf: (entries: FixtureEntry[]) => `<?xml version="1.0"?>
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
      xmlns:content="http://purl.org/rss/1.0/modules/content/"
      xmlns:dc="http://purl.org/dc/elements/1.1/">
    <channel rdf:about="https://news.example/"><title>Tides &amp; bells</title></channel>
    ${entries
      .map(
        ({ id, title, content, link = "", date }) => `<item rdf:about="${escape(id)}">
        <title>${escape(title)}</title><link>${escape(link)}</link><dc:creator>Eva</dc:creator>
        <dc:date>${date ?? ""}</dc:date>
        <content:encoded>${escape(content)}</content:encoded></item>`,
      )
      .join("")}</rdf:RDF>`,
  atom: (entries: FixtureEntry[], next: string | null) => `<?xml version="1.0"?>
    <feed xmlns="http://www.w3.org/2005/Atom"><title type="html">Tides &amp;amp; bells</title>
    ${next === null ? "" : `<link rel="next" href="${next}"/>`}
    ${entries
      .map(
        ({ id, title, content, link, date }) => `<entry><id>${escape(id)}</id>
        <title>${escape(title)}</title><author><name>Eva</name></author>
        <link rel="enclosure" href="https://news.example/episode.mp3"/>
        ${link === undefined ? "" : `<link rel="alternate" href="${escape(link)}"/>`}
        <published>${date ?? ""}</published><summary>Only a summary</summary>
        <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">${content}</div></content>
        </entry>`,
      )
      .join("")}</feed>`,
  json: (entries: FixtureEntry[], next: string | null) =>
    JSON.stringify({
      version: "https://jsonfeed.org/version/1.1",
      title: "Tides & bells",
      ...(next !== null && { next_url: next }),
      items: entries.map(({ id, title, content, link, date }) => ({
        id,
        title,
        url: link,
        content_html: content,
        summary: "Only a summary",
        date_published: date,
        authors: [{ name: "Eva" }],
      })),
    }),
};

export class FeedFixture {
  format: keyof typeof writers = "rss";
  entries: FixtureEntry[] = [];
  /** Entries in each part. */
  partSize = 1_000;
  /** The only sign-in that is accepted. */
  authorization: string | null = null;
  /** Each request's path and the headers that matter. */
  readonly requests: { path: string; authorization?: string; condition?: string }[] = [];
  /** Answers by path, in place of the feed's own. */
  readonly answers = new Map<string, (response: ServerResponse) => void>();

  readonly listener: RequestListener = ({ url = "/", headers }, response) => {
    const { authorization, "if-none-match": condition } = headers;
    this.requests.push({
      path: url,
      ...(authorization !== undefined && { authorization }),
      ...(condition !== undefined && { condition }),
    });
    const own = this.answers.get(url);
    if (own) return own(response);
    const { pathname, searchParams } = new URL(url, "http://fixture");
    if (pathname !== "/feed") return void response.writeHead(404).end("no such page");
    if (this.authorization !== null && authorization !== this.authorization)
      return void response.writeHead(401, { "www-authenticate": "Basic" }).end();
    const etag = `"${this.format}${JSON.stringify(this.entries).length}"`;
    if (condition === etag) return void response.writeHead(304, { etag }).end();
    const start = Number(searchParams.get("from") ?? 0);
    const end = start + this.partSize;
    const next = end < this.entries.length ? `?from=${end}` : null;
    const write = writers[this.format];
    const absolute = next === null ? null : `http://${headers.host}/feed${next}`;
    response.setHeader("etag", etag).end(write(this.entries.slice(start, end), absolute));
  };
}

export const answer =
  (status: number, headers: Record<string, string>, body: string | Buffer = "") =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end(body);

/** A path on the same server by another name. */
export const elsewhere = ({ address }: FixtureServer, path: string): string =>
  `${address.replace("127.0.0.1", "localhost")}${path}`;

/** As if the server were on the internet, but also in the allow-list; by default, `others` don't reach it. */
export function onInternet(
  { context: { content, signal } }: FixtureServer,
  others: ContentClient = createContentClient(),
): SourceContext {
  const fetch: ContentClient["fetch"] = async (url, init) => ({
    ...(await content.fetch(url, init)),
    isPublic: true,
  });
  return { content: { ...content, fetch }, others, signal };
}
