import { CarrelError } from "@carrel/contracts";
import type { ContentResponse, ContentStream } from "@carrel/egress";
import type { SourceContext } from "../../connector/connector.ts";
import { isUsablePath } from "../../connector/file-rules.ts";
import { childrenOf, childText, readXml, type XmlElement } from "../../connector/read-xml.ts";
import { throwStatus } from "../../connector/source-fault.ts";

const dav = "DAV:";
const owncloud = "http://owncloud.org/ns";
/** About 20,000 files. */
const maxAnswerBytes = 20_000_000;
const answerMs = 60_000;
const fileMs = 120_000;

const propfindBody = `<?xml version="1.0" encoding="utf-8"?>
<d:propfind xmlns:d="${dav}" xmlns:oc="${owncloud}"><d:prop>
<d:resourcetype/><d:getcontentlength/><d:getcontenttype/><d:getetag/><d:getlastmodified/><oc:fileid/>
</d:prop></d:propfind>`;
const principalBody = `<?xml version="1.0" encoding="utf-8"?>
<d:propfind xmlns:d="${dav}"><d:prop><d:current-user-principal/></d:prop></d:propfind>`;

/** A file or folder, as its server describes it. */
export interface DavEntry {
  /** Parts of its path below the server, decoded. */
  parts: string[];
  isFolder: boolean;
  /** Changes with its content; undefined if the server doesn't say. */
  version: string | undefined;
  bytes: number | undefined;
  mime: string | undefined;
  /** ISO 8601; empty if unknown. */
  modified: string;
  /** Stays the same when it is moved; only Nextcloud and ownCloud have it. */
  fileId: string | undefined;
}

export interface DavFolder {
  /** null if the answer is about something else, such as where the request was led. */
  self: DavEntry | null;
  children: DavEntry[];
  /** The server couldn't tell about everything. */
  isPartial: boolean;
  /** Addresses that can't be used. */
  unusable: string[];
}

/** Requests to a WebDAV server (RFC 4918), each to an address of its origin. */
export class WebdavClient {
  readonly host: string;
  private readonly headers: Record<string, string>;
  /** The answer that is read: one at a time, because it then needs several times its size. */
  private reading: Promise<void> = Promise.resolve();

  constructor(
    readonly origin: string,
    { username, password }: { username: string; password: string },
    private readonly anyCertificate: boolean,
    private readonly context: SourceContext,
  ) {
    this.host = new URL(origin).host;
    const text = Buffer.from(`${username}:${password}`).toString("base64");
    this.headers = username + password === "" ? {} : { authorization: `Basic ${text}` };
  }

  /** A folder and what is directly in it, or only the folder or file itself. */
  async list(parts: readonly string[], depth: 0 | 1): Promise<DavFolder> {
    // Most servers want folders' addresses to end with a slash, and lead to it otherwise.
    const reply = await this.propfind(pathOf(parts, depth === 1), depth, propfindBody);
    return this.readAnswer(reply, (root) => readFolder(root, parts));
  }

  /** The name of whoever signed in, as the addresses of Nextcloud have it; null if it says none. */
  async findUser(base: string): Promise<string | null> {
    const reply = await this.propfind(`${base}/remote.php/dav/`, 0, principalBody);
    const href = await this.readAnswer(reply, readPrincipal);
    const parts = readParts(href);
    const at = parts?.lastIndexOf("users") ?? -1;
    return at < 0 ? null : (parts?.[at + 1] ?? null);
  }

  async open(parts: readonly string[], maxBytes: number): Promise<ContentStream> {
    const reply = await this.context.content.open(this.origin + pathOf(parts, false), {
      ...this.common(),
      maxBytes,
      timeoutMs: fileMs,
    });
    if (reply.status >= 200 && reply.status <= 299) return reply;
    reply.body.destroy();
    return throwStatus(reply);
  }

  get(path: string): Promise<ContentResponse> {
    return this.context.content.fetch(this.origin + path, this.common());
  }

  private common() {
    return {
      signal: this.context.signal,
      headers: this.headers,
      // The credential stays here, and so does what may be listed.
      mayFollow: ({ origin }: URL) => Promise.resolve(origin === this.origin),
      ...(this.anyCertificate && { trustsAnyCertificate: true }),
    };
  }

  private propfind(path: string, depth: 0 | 1, body: string): Promise<ContentResponse> {
    const common = this.common();
    return this.context.content.fetch(this.origin + path, {
      ...common,
      method: "PROPFIND",
      headers: {
        ...common.headers,
        depth: String(depth),
        "content-type": "application/xml; charset=utf-8",
      },
      body,
      maxBytes: maxAnswerBytes,
      timeoutMs: answerMs,
    });
  }

  private async readAnswer<T>(reply: ContentResponse, read: (root: XmlElement) => T): Promise<T> {
    // Pages of other servers have a status of 200.
    if (reply.status !== 207) throwStatus(reply);
    const result = this.reading.then(async () => read(await this.readRoot(reply)));
    this.reading = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  private async readRoot(reply: ContentResponse): Promise<XmlElement> {
    const root = await readXml(reply);
    if (root.name !== "multistatus" || root.namespace !== dav) throw this.unexpected();
    return root;
  }

  private unexpected(): CarrelError {
    return new CarrelError("egress.unexpected-response", { host: this.host });
  }
}

const pathOf = (parts: readonly string[], isFolder: boolean): string =>
  `/${parts.map(encodeURIComponent).join("/")}${isFolder && parts.length > 0 ? "/" : ""}`;

/**
 * Decoded parts of an address's path; null if it can't be used. Its host doesn't matter: servers
 * behind a proxy often name another one, and requests go to the source's own in any case.
 */
export function readParts(href: string): string[] | null {
  const url = href === "" ? null : URL.parse(href, "http://a.invalid/");
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  let parts: string[];
  try {
    // Dots that lead upwards are resolved already, however they are encoded.
    parts = url.pathname
      .split("/")
      .filter((part) => part !== "")
      .map(decodeURIComponent);
  } catch {
    return null;
  }
  const isUsable = parts.every((part) => !part.includes("/") && isUsablePath(part));
  return isUsable ? parts : null;
}

function readPrincipal(root: XmlElement): string {
  const [response] = childrenOf(root, "response", dav);
  const [principal] = response
    ? findProps(response).flatMap((prop) => childrenOf(prop, "current-user-principal"))
    : [];
  return principal === undefined ? "" : childText(principal, "href", dav);
}

/** Only what is directly in the folder: whatever else an answer names could lead in circles. */
function readFolder(root: XmlElement, own: readonly string[]): DavFolder {
  const folder: DavFolder = { self: null, children: [], isPartial: false, unusable: [] };
  for (const response of childrenOf(root, "response", dav)) {
    const status = readStatus(childText(response, "status", dav));
    if (status === 404 || status === 410) continue;
    const href = childText(response, "href", dav);
    const parts = readParts(href);
    const entry = parts === null || status >= 400 ? null : readEntry(response, parts);
    if (parts === null) folder.unusable.push(href);
    else if (entry === null) folder.isPartial = true;
    else if (!isBelow(parts, own)) folder.isPartial = true;
    else if (parts.length === own.length) folder.self = entry;
    else if (parts.length === own.length + 1) folder.children.push(entry);
  }
  return folder;
}

const isBelow = (parts: readonly string[], folder: readonly string[]): boolean =>
  folder.every((part, at) => parts[at] === part);

/** The properties that were found. */
const findProps = (response: XmlElement): XmlElement[] =>
  childrenOf(response, "propstat", dav)
    .filter((each) => readStatus(childText(each, "status", dav)) < 300)
    .flatMap((each) => childrenOf(each, "prop", dav));

/** Of a line such as `HTTP/1.1 404 Not Found`; 200 if it says nothing. */
const readStatus = (line: string): number => Number(/^HTTP\/\S+ (\d{3})/.exec(line)?.[1] ?? 200);

/** null if the server doesn't say whether it is a folder. */
function readEntry(response: XmlElement, parts: string[]): DavEntry | null {
  const props = findProps(response);
  const types = props.flatMap((prop) => childrenOf(prop, "resourcetype", dav));
  if (types.length === 0) return null;
  const read = (name: string, namespace = dav): string | undefined =>
    props.map((prop) => childText(prop, name, namespace)).find((text) => text !== "");
  const modified = read("getlastmodified") ?? "";
  const size = read("getcontentlength");
  const bytes = size !== undefined && /^\d{1,15}$/.test(size) ? Number(size) : undefined;
  const time = Date.parse(modified);
  return {
    parts,
    isFolder: types.some((type) => childrenOf(type, "collection", dav).length > 0),
    version: read("getetag") ?? (modified === "" ? undefined : `${modified}/${size ?? ""}`),
    bytes,
    mime: read("getcontenttype")?.split(";")[0]?.trim(),
    modified: Number.isNaN(time) ? "" : new Date(time).toISOString(),
    fileId: read("fileid", owncloud),
  };
}
