import { isUtf8 } from "node:buffer";
import { clipText } from "@carrel/contracts";
import { z } from "zod";

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

/**
 * The address of a server, from that of any page on it; without a slash at its end. `below`: what a
 * page's path goes on with below the server's own. null if it isn't a web address.
 */
export function readServer(text: string, below: RegExp): string | null {
  const address = readLink(text);
  if (address === null) return null;
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.replace(below, "").replace(/\/+$/, "")}`;
}

/** A setting that is an address as a person types it; `read` returns null for any other text. */
export const addressSetting = (read: (text: string) => string | null) =>
  z
    .string()
    .max(1_000)
    .transform((text, { issues }) => {
      const address = read(text);
      if (address !== null) return address;
      issues.push({ code: "custom", input: text, message: "not a web address" });
      return z.NEVER;
    });

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

/** The Accept header of a request for a page. */
export const acceptPages = "text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,*/*;q=0.5";
