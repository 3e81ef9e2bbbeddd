import { isUtf8 } from "node:buffer";
import { CarrelError, clipText } from "@carrel/contracts";
import { EgressError, type ContentResponse } from "@carrel/egress";
import { z } from "zod";
import type { Connector, FetchContext } from "../connector/connector.ts";

/** Extensions by content type; pages are HTML, and so is a response without a type. */
const extensions: Record<string, string> = {
  "text/html": ".html",
  "application/xhtml+xml": ".html",
  "text/plain": ".txt",
  "text/markdown": ".md",
  "text/csv": ".csv",
  "application/json": ".json",
  "application/pdf": ".pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
};

/**
 * Parses an address typed by a user; a bare host gets https. null if it isn't a valid web address.
 */
export function readLink(text: string): string | null {
  const typed = text.trim();
  const address = /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)/.test(typed) ? `https://${typed}` : typed;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
}

/** File name for a fetched page: host and path as a slug. */
export function buildLinkFilename(url: string, mime: string | null): string {
  const { hostname, pathname } = new URL(url);
  let path = pathname;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    // A stray percent sign; the undecoded path is readable enough.
  }
  const extension = mime === null ? ".html" : (extensions[mime] ?? "");
  const words = `${hostname}${path}`
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}.]+/gu, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  const slug = clipText(words, 120) || "page";
  return slug.endsWith(extension) ? slug : `${slug}${extension}`;
}

/** Charsets that servers state for texts they know nothing about. */
const unreliable = new Set(["iso-8859-1", "latin1", "us-ascii", "windows-1252"]);

/**
 * Converts text from the response header's charset to UTF-8; the header takes precedence over the
 * page's own declaration. Text that already is UTF-8, and text under a charset that servers state
 * unasked, is left to the parser.
 */
export function toUtf8(body: Buffer, contentType: string | null): Buffer {
  const charset = /charset\s*=\s*["']?([\w-]+)/i.exec(contentType ?? "")?.[1]?.toLowerCase();
  if (
    !charset ||
    charset === "utf-8" ||
    charset === "utf8" ||
    unreliable.has(charset) ||
    isUtf8(body) ||
    !/^(text\/|application\/(xhtml\+xml|json))/i.test(contentType ?? "")
  )
    return body;
  try {
    return Buffer.from(new TextDecoder(charset).decode(body));
  } catch {
    // Unknown charset: leave it to the parser to guess from the bytes.
    return body;
  }
}

/**
 * Headers that callers can't set, because they concern the connection or the form of the response.
 */
const reserved =
  /^(host|connection|content-length|content-type|transfer-encoding|te|trailer|upgrade|expect|keep-alive|accept|accept-encoding|range|via|proxy-.*|sec-.*)$/i;
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const maxHeaders = 50;

/** Filters the requested headers, dropping invalid and reserved ones. */
export const chooseHeaders = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, maxHeaders)
      .filter(
        ([name, value]) => headerName.test(name) && !reserved.test(name) && headerValue.test(value),
      )
      .map(([name, value]) => [name.toLowerCase(), value]),
  );

const accept = "text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,*/*;q=0.5";

const settings = z.object({
  /** The address as typed by a user. */
  link: z.string(),
  /** Sent with the request; reserved ones are dropped. */
  headers: z.record(z.string(), z.string()),
});

/** The address of the page. */
const item = z.url();

/** A web page or file behind an address: a source with exactly one item. */
export const linkConnector: Connector<typeof settings, typeof item> = {
  id: "link",
  settings,
  item,

  async *listItems({ link }) {
    const address = readLink(link);
    if (address === null) throw new CarrelError("link.invalid");
    yield address;
  },

  async fetchItem(url, { headers }, context) {
    const page = await fetchPage(url, chooseHeaders(headers), context);
    const filename = buildLinkFilename(url, page.mime);
    return {
      body: toUtf8(page.body, page.headers.get("content-type")),
      filename,
      mime: page.mime,
      source: { kind: "link", url },
      metadata: {
        title: filename,
        url: `file://${filename}`,
        docAuthor: "no author found",
        description: "No description found.",
        docSource: "URL link uploaded by the user.",
      },
    };
  },
};

async function fetchPage(
  link: string,
  headers: Record<string, string>,
  { content, signal }: FetchContext,
): Promise<ContentResponse> {
  const nothing = (cause?: unknown): CarrelError =>
    new CarrelError("link.unreachable", { link: String(link) }, { cause });
  let page: ContentResponse;
  try {
    page = await content.fetch(link, { signal, headers: { ...headers, accept } });
  } catch (fault) {
    if (!(fault instanceof EgressError)) throw fault;
    if (fault.reason === "refused")
      throw new CarrelError("link.refused", { reason: fault.fault }, { cause: fault });
    if (fault.reason === "bad-url") throw new CarrelError("link.invalid", {}, { cause: fault });
    throw fault.reason === "too-large" ? new CarrelError("link.too-large") : nothing(fault);
  }
  if (page.status < 200 || page.status > 299 || page.body.toString("latin1").trim() === "")
    throw nothing();
  return page;
}
