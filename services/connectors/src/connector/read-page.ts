import { createHash } from "node:crypto";
import { Tokenizer } from "htmlparser2";

/** Links are read from so much of a page. */
const readCharacters = 2_000_000;
const maxLinks = 1_000;
/** As many as the protocol lets a sitemap name. */
const maxAddresses = 50_000;
const longestAttribute = 4_000;
/** Shorter texts (“Not found”, a login form) say too little to tell that two pages are copies. */
const shortestText = 100;

/** What a crawler needs to know of a page. */
export interface CrawledPage {
  title: string;
  description: string;
  author: string;
  published: string;
  /** As written; relative ones are resolved against `base`. */
  links: string[];
  base: string | null;
  canonical: string | null;
  mayIndex: boolean;
  mayFollow: boolean;
  /** Of the text outside navigation; null if there is too little. */
  fingerprint: string | null;
}

/** Parts of a page that every page of a site repeats. */
const furniture = new Set(["nav", "header", "footer", "aside", "script", "style", "template"]);
/** Elements whose attributes are read. */
const read = new Set(["a", "area", "frame", "iframe", "link", "meta", "base"]);

interface Reading {
  page: CrawledPage;
  hasBase: boolean;
}

function readMeta({ page }: Reading, attributes: Map<string, string>): void {
  const name = (attributes.get("name") ?? attributes.get("property") ?? "").toLowerCase();
  const content = (attributes.get("content") ?? "").trim();
  if (name === "robots" || name === "carrel") readRobots(page, content);
  else if (name === "description") page.description ||= content;
  else if (name === "author") page.author ||= content;
  else if (name === "article:published_time") page.published ||= content;
}

/** Reads `noindex` and `nofollow` from a page's metadata or the X-Robots-Tag header. */
export function readRobots(page: CrawledPage, directives: string): void {
  const words = directives.toLowerCase().split(/[\s,]+/);
  if (words.includes("noindex") || words.includes("none")) page.mayIndex = false;
  if (words.includes("nofollow") || words.includes("none")) page.mayFollow = false;
}

function readElement(reading: Reading, name: string, attributes: Map<string, string>): void {
  const { page } = reading;
  const rel = (attributes.get("rel") ?? "").toLowerCase().split(/\s+/);
  const href = attributes.get("href");
  if (name === "meta") readMeta(reading, attributes);
  else if (name === "base") {
    if (!reading.hasBase && href !== undefined) page.base = href;
    reading.hasBase = true;
  } else if (name === "link") {
    if (rel.includes("canonical")) page.canonical ??= href ?? null;
    if (rel.includes("next") && href !== undefined) page.links.push(href);
  } else if (name === "a" || name === "area") {
    if (href !== undefined && !rel.includes("nofollow")) page.links.push(href);
  } else if (attributes.has("src")) page.links.push(attributes.get("src")!);
}

/** Reads a page in one pass, in time proportional to its length, whatever it contains. */
export function readPage(html: string): CrawledPage {
  const text = html.slice(0, readCharacters);
  const reading: Reading = {
    hasBase: false,
    page: {
      title: "",
      description: "",
      author: "",
      published: "",
      links: [],
      base: null,
      canonical: null,
      mayIndex: true,
      mayFollow: true,
      fingerprint: null,
    },
  };
  const { page } = reading;
  const words = createHash("sha256");
  let length = 0;
  let hidden = 0;
  let element = "";
  let attribute = "";
  let value = "";
  let attributes = new Map<string, string>();
  let isTitle = false;
  const addText = (part: string): void => {
    if (isTitle) {
      if (page.title.length < 500) page.title += part;
      return;
    }
    if (hidden > 0) return;
    const plain = part.replace(/\s+/g, " ").trim();
    if (plain === "") return;
    length += plain.length;
    words.update(`${plain} `);
  };
  const endTag = (): void => {
    if (read.has(element) && page.links.length < maxLinks)
      readElement(reading, element, attributes);
  };
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      onopentagname(start, end) {
        element = text.slice(start, Math.min(end, start + 20)).toLowerCase();
        attributes = new Map();
        if (furniture.has(element)) hidden += 1;
        isTitle = element === "title" && page.title === "";
      },
      onattribname(start, end) {
        attribute = text.slice(start, Math.min(end, start + 20)).toLowerCase();
        value = "";
      },
      onattribdata(start, end) {
        if (value.length < longestAttribute)
          value += text.slice(start, Math.min(end, start + longestAttribute));
      },
      onattribentity(code) {
        if (value.length < longestAttribute) value += String.fromCodePoint(code);
      },
      onattribend() {
        if (read.has(element) && !attributes.has(attribute)) attributes.set(attribute, value);
      },
      onopentagend: endTag,
      onselfclosingtag: endTag,
      onclosetag(start, end) {
        isTitle = false;
        if (furniture.has(text.slice(start, Math.min(end, start + 20)).toLowerCase()))
          hidden = Math.max(0, hidden - 1);
      },
      ontext: (start, end) => addText(text.slice(start, end)),
      ontextentity: (code) => addText(String.fromCodePoint(code)),
      oncdata: () => undefined,
      oncomment: () => undefined,
      ondeclaration: () => undefined,
      onprocessinginstruction: () => undefined,
      onend: () => undefined,
    },
  );
  tokenizer.write(text);
  tokenizer.end();
  page.title = page.title.replace(/\s+/g, " ").trim();
  if (length >= shortestText) page.fingerprint = words.digest("hex");
  return page;
}

/** The addresses in a sitemap, and those of further sitemaps. */
export function readSitemap(xml: string): { pages: string[]; sitemaps: string[] } {
  const found: { pages: string[]; sitemaps: string[] } = { pages: [], sitemaps: [] };
  let isLocation = false;
  let isIndex = false;
  let location = "";
  const nameAt = (start: number, end: number): string =>
    xml.slice(start, Math.min(end, start + 40)).toLowerCase();
  const tokenizer = new Tokenizer(
    { xmlMode: true, decodeEntities: true },
    {
      onopentagname(start, end) {
        const name = nameAt(start, end);
        if (name === "sitemapindex") isIndex = true;
        isLocation = name === "loc";
        location = "";
      },
      onclosetag(start, end) {
        if (nameAt(start, end) === "loc" && location.trim() !== "") {
          const list = isIndex ? found.sitemaps : found.pages;
          if (list.length < maxAddresses) list.push(location.trim());
        }
        isLocation = false;
      },
      ontext(start, end) {
        if (isLocation && location.length < longestAttribute)
          location += xml.slice(start, Math.min(end, start + longestAttribute));
      },
      ontextentity(code) {
        if (isLocation && location.length < longestAttribute)
          location += String.fromCodePoint(code);
      },
      oncdata(start, end, offset) {
        if (isLocation)
          location = xml.slice(start, Math.min(end - offset, start + longestAttribute));
      },
      onattribname: () => undefined,
      onattribdata: () => undefined,
      onattribentity: () => undefined,
      onattribend: () => undefined,
      onopentagend: () => undefined,
      onselfclosingtag: () => undefined,
      oncomment: () => undefined,
      ondeclaration: () => undefined,
      onprocessinginstruction: () => undefined,
      onend: () => undefined,
    },
  );
  tokenizer.write(xml);
  tokenizer.end();
  return found;
}
