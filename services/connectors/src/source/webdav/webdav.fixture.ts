import type { RequestListener, ServerResponse } from "node:http";

/*
 * Written from RFC 4918 (PROPFIND), RFC 5397 (current-user-principal) and, for Nextcloud's
 * addresses, file ids and status.php, its developer manual (docs.nextcloud.com).
 */

export interface FixtureFile {
  content: string;
  etag?: string;
  type?: string;
  /** Only Nextcloud has it. */
  id?: string;
}

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export class WebdavFixture {
  /** By their paths below `root`; folders are where files are. */
  files = new Map<string, FixtureFile>();
  /** The path that is WebDAV, without a slash at its end. */
  root = "/dav";
  /** The path below which Nextcloud answers, if it does. */
  cloud: string | null = null;
  authorization = `Basic ${Buffer.from("ada:secret").toString("base64")}`;
  /** Added to each listing of a folder. */
  extra = "";
  readonly requests: string[] = [];
  /** Each request's credential. */
  readonly credentials = new Set<string | undefined>();
  /** Answers by method and path, in place of the server's own. */
  readonly answers = new Map<string, (response: ServerResponse) => void>();

  readonly listener: RequestListener = (request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const { pathname } = new URL(url, "http://fixture");
    this.requests.push(`${method} ${pathname}`);
    this.credentials.add(headers.authorization);
    const own = this.answers.get(`${method} ${pathname}`);
    if (own) return own(response);
    if (this.cloud !== null && pathname === `${this.cloud}/status.php`)
      return void response.end('{"installed":true,"productname":"Nextcloud"}');
    const isPrincipal = this.cloud !== null && pathname === `${this.cloud}/remote.php/dav/`;
    const isDav = pathname === this.root || pathname.startsWith(`${this.root}/`);
    if (!isPrincipal && !isDav)
      return void response.writeHead(method === "GET" ? 404 : 405).end("<p>No such page");
    if (headers.authorization !== this.authorization)
      return void response.writeHead(401, { "www-authenticate": "Basic" }).end();
    if (isPrincipal)
      return this.answer(
        response,
        `<d:response><d:href>${pathname}</d:href><d:propstat><d:prop><d:current-user-principal>
        <d:href>${this.cloud}/remote.php/dav/principals/users/ada/</d:href>
        </d:current-user-principal></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>
        </d:response>`,
      );
    const path = decodeURIComponent(pathname.slice(this.root.length)).replace(/^\/|\/$/g, "");
    const file = this.files.get(path);
    if (method === "GET")
      return file === undefined
        ? void response.writeHead(404).end()
        : void response.setHeader("etag", file.etag ?? '"1"').end(file.content);
    const below = path === "" ? "" : `${path}/`;
    const names = [...this.files.keys()]
      .filter((each) => each.startsWith(below))
      .map((each) => each.slice(below.length).split("/"));
    if (file === undefined && names.length === 0 && path !== "")
      return void response.writeHead(404).end();
    if (file === undefined && !pathname.endsWith("/"))
      return void response.writeHead(301, { location: `${pathname}/` }).end();
    const folders = new Set(names.flatMap(([name, ...rest]) => (rest.length > 0 ? [name!] : [])));
    const members = file !== undefined || headers.depth === "0" ? [] : names;
    this.answer(
      response,
      [
        this.describe(path, file),
        ...(headers.depth === "0" ? [] : [...folders].map((name) => this.describe(below + name))),
        ...members
          .filter(({ length }) => length === 1)
          .map(([name]) => this.describe(below + name!, this.files.get(below + name!))),
        ...(headers.depth === "0" ? [] : [this.extra]),
      ].join(""),
    );
  };

  private describe(path: string, file?: FixtureFile): string {
    const href = `${this.root}/${path.split("/").map(encodeURIComponent).join("/")}`;
    const found =
      file === undefined
        ? "<d:resourcetype><d:collection/></d:resourcetype>"
        : `<d:resourcetype/><d:getcontentlength>${file.content.length}</d:getcontentlength>
          <d:getcontenttype>${file.type ?? "text/plain; charset=utf-8"}</d:getcontenttype>
          <d:getetag>${escape(file.etag ?? '"1"')}</d:getetag>
          <d:getlastmodified>Fri, 01 May 2026 10:00:00 GMT</d:getlastmodified>
          ${file.id === undefined ? "" : `<oc:fileid>${file.id}</oc:fileid>`}`;
    return `<d:response><d:href>${escape(href)}${file === undefined ? "/" : ""}</d:href>
      <d:propstat><d:prop>${found}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>
      <d:propstat><d:prop><oc:other/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>
      </d:response>`;
  }

  private answer(response: ServerResponse, responses: string): void {
    response.writeHead(207, { "content-type": "application/xml; charset=utf-8" });
    response.end(`<?xml version="1.0"?><d:multistatus xmlns:d="DAV:"
      xmlns:oc="http://owncloud.org/ns">${responses}</d:multistatus>`);
  }
}
