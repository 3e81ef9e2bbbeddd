import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

/*
 * Written from Atlassian's published API definitions: Confluence Cloud REST API v2 and v1 (OpenAPI
 * documents at developer.atlassian.com/cloud/confluence, as of 2025) and the REST API of Confluence
 * Data Center 8.5 (docs.atlassian.com/ConfluenceServer/rest/8.5.0).
 */

export interface FixturePage {
  id: string;
  title: string;
  body: string;
  isPost?: true;
  version?: number;
  parents?: string[];
  labels?: string[];
  status?: string;
  space?: string;
  /** Account ids or names, and groups; null: nobody may read the list. */
  readers?: { users: string[]; groups: string[] } | null;
  /** Not for the credential; servers leave it out of a page of a list that it still counts in. */
  isHidden?: true;
  attachments?: { id: string; title: string; mediaType: string; bytes: number; version?: number }[];
}

type Answer = (request: IncomingMessage, response: ServerResponse, url: URL) => void;

export class ConfluenceFixture {
  readonly pages: FixturePage[] = [];
  /** Answers by path without the context path, in place of the server's own. */
  readonly answers = new Map<string, Answer>();
  readonly requests: string[] = [];
  /** Members by group. */
  readonly groups = new Map<string, { account: string; email?: string }[]>();
  /** Groups and people who may read the space; null: the list can't be read. */
  spaceReaders: { users: string[]; groups: string[] } | null = {
    users: [],
    groups: ["confluence-users"],
  };
  isPublic = false;

  constructor(
    private readonly kind: "cloud" | "server",
    private readonly contextPath: string,
    private readonly authorization: string,
  ) {}

  readonly listener: RequestListener = (request, response) => {
    const url = new URL(request.url ?? "/", "http://fixture");
    this.requests.push(`${url.pathname}${url.search}`);
    if (url.pathname === "/" && this.contextPath !== "")
      return void response.writeHead(302, { location: `${this.contextPath}/index.action` }).end();
    if (!url.pathname.startsWith(`${this.contextPath}/`)) return missing(response);
    const path = url.pathname.slice(this.contextPath.length);
    const own = this.answers.get(path);
    if (own) return own(request, response, url);
    if (path === "/index.action") return void response.end("<html>Welcome</html>");
    const isSignedIn = request.headers.authorization === this.authorization;
    if (!isSignedIn && !(this.isPublic && request.headers.authorization === undefined))
      return void response.writeHead(401).end("{}");
    const found = this.kind === "cloud" ? this.cloud(path, url) : this.server(path, url);
    if (found === null) return missing(response);
    if (Buffer.isBuffer(found)) return void response.end(found);
    response.setHeader("content-type", "application/json").end(JSON.stringify(found));
  };

  private get current(): FixturePage[] {
    return this.pages.filter(({ status, space }) => !status && (space ?? "HR") === "HR");
  }
  private find(id: string): FixturePage | undefined {
    return this.pages.find((page) => page.id === id);
  }

  private cloud(path: string, url: URL): object | null {
    const { searchParams: query } = url;
    const wire = (page: FixturePage) => ({
      id: page.id,
      status: page.status ?? "current",
      title: page.title,
      spaceId: page.space === undefined ? "77" : "78",
      version: { number: page.version ?? 1, createdAt: "2026-05-01T10:00:00Z", authorId: "a-ada" },
      _links: { webui: `/spaces/HR/pages/${page.id}` },
    });
    /** Cursor links are relative to the server. */
    const cut = <T>(
      all: T[],
      limit: number,
      write: (each: T) => object = (each) => each as object,
    ) => {
      const at = Number(query.get("cursor") ?? 0);
      const next = new URL(url);
      next.searchParams.set("cursor", String(at + limit));
      return {
        results: all.slice(at, at + limit).map(write),
        _links: at + limit < all.length ? { next: `${next.pathname}${next.search}` } : {},
      };
    };
    if (path === "/api/v2/spaces") {
      const spaces = ["HR", "DEV"].map((key) => ({ id: key === "HR" ? "77" : "78", key }));
      const keys = query.get("keys");
      return cut(keys === null ? spaces : spaces.filter(({ key }) => key === keys), 250);
    }
    if (path === "/api/v2/spaces/77") return { id: "77", key: "HR" };
    const list = /^\/api\/v2\/spaces\/77\/(pages|blogposts)$/.exec(path)?.[1];
    if (list !== undefined)
      return cut(
        this.current.filter(({ isPost }) => isPost === (list === "blogposts" ? true : undefined)),
        Number(query.get("limit")),
        wire,
      );
    if (path === "/api/v2/spaces/77/permissions")
      return this.spaceReaders === null
        ? null
        : cut(
            [
              ...this.spaceReaders.users.map((id) => ({ type: "user", id })),
              ...this.spaceReaders.groups.map((id) => ({ type: "group", id })),
            ].map((principal, id) => ({
              id,
              principal,
              operation: { key: "read", targetType: "space" },
            })),
            250,
          );
    if (path === "/rest/api/content/search")
      return cut(
        this.current.flatMap((page) => this.attachmentsOf(page)),
        25,
      );
    if (path === "/rest/api/user") return { displayName: `Name of ${query.get("accountId")}` };
    const [, one, part] = /^\/api\/v2\/pages\/([^/]+)(\/ancestors)?$/.exec(path) ?? [];
    const found = one === undefined ? undefined : this.find(one);
    const page = found?.isPost ? undefined : found;
    if (page !== undefined && part)
      return cut(
        (page.parents ?? []).map((id) => ({ id, type: "page" })),
        250,
      );
    if (page !== undefined)
      return {
        ...wire(page),
        body: { storage: { value: page.body, representation: "storage" } },
        labels: { results: (page.labels ?? []).map((name) => ({ name, prefix: "global" })) },
      };
    const attachment = /^\/api\/v2\/attachments\/([^/]+)$/.exec(path)?.[1];
    if (attachment !== undefined) {
      const found = this.pages
        .flatMap((each) => each.attachments ?? [])
        .find(({ id }) => id === attachment);
      return found
        ? { id: attachment, status: "current", version: { number: found.version ?? 1 } }
        : null;
    }
    return this.common(path, query, /^\/rest\/api\/group\/([^/]+)\/membersByGroupId$/);
  }

  private server(path: string, url: URL): object | null {
    const { searchParams: query } = url;
    const start = Number(query.get("start") ?? 0);
    /** Sends at most 50, however many are asked for. */
    const cut = <T>(all: T[], most = 50) => {
      const results = all.slice(start, start + Math.min(most, Number(query.get("limit") ?? 25)));
      const isLast = start + results.length >= all.length;
      const next = `${path}?start=${start + results.length}`;
      return { results, start, size: results.length, _links: isLast ? {} : { next } };
    };
    const wire = (page: FixturePage) => ({
      id: page.id,
      type: "page",
      status: "current",
      title: page.title,
      space: { key: page.space ?? "HR" },
      version: {
        number: page.version ?? 1,
        when: "2026-05-01T10:00:00Z",
        by: { displayName: "Ada" },
      },
      ...(query.get("expand")?.includes("children") && {
        children: {
          attachment: {
            results: this.attachmentsOf(page).slice(0, 2),
            size: 2,
            _links:
              (page.attachments?.length ?? 0) > 2
                ? { next: `/rest/api/content/${page.id}/child/attachment?start=2&limit=2` }
                : {},
          },
        },
      }),
      _links: { webui: `/display/HR/${page.id}` },
    });
    if (path === "/rest/api/space") return cut([{ key: "HR" }, { key: "DEV" }]);
    if (path === "/rest/api/space/HR") return { key: "HR" };
    if (path === "/rest/api/space/HR/permissions")
      return this.spaceReaders === null
        ? null
        : [
            ...this.spaceReaders.users.map((name) => ({ type: "user", name })),
            ...this.spaceReaders.groups.map((name) => ({ type: "group", name })),
          ].map((subject) => ({
            subject,
            operation: { operationKey: "read", targetType: "space" },
          }));
    if (path === "/rest/api/content") {
      const all = this.current.filter(
        ({ isPost }) => isPost === (query.get("type") === "blogpost" ? true : undefined),
      );
      const page = cut(all);
      const results = page.results.filter(({ isHidden }) => !isHidden).map(wire);
      return { ...page, results, size: results.length };
    }
    if (path === "/rest/api/user") return { displayName: `Name of ${query.get("key")}` };
    const [, one, part] = /^\/rest\/api\/content\/([^/]+)(\/child\/attachment)?$/.exec(path) ?? [];
    const page = one === undefined ? undefined : this.find(one);
    if (page?.status) return null;
    if (page !== undefined && part) return cut(this.attachmentsOf(page), 2);
    if (page !== undefined)
      return {
        ...wire(page),
        ancestors: (page.parents ?? []).map((id) => ({ id })),
        body: { storage: { value: page.body, representation: "storage" } },
        metadata: { labels: { results: (page.labels ?? []).map((name) => ({ name })) } },
      };
    const owner = this.pages.find((each) => each.attachments?.some(({ id }) => id === one));
    if (owner !== undefined && !part)
      return this.attachmentsOf(owner).find((each) => (each as { id: string }).id === one) ?? null;
    return this.common(path, query, /^\/rest\/api\/group\/([^/]+)\/member$/);
  }

  /** What both have. */
  private common(path: string, query: URLSearchParams, members: RegExp): object | null {
    const restricted = /^\/rest\/api\/content\/([^/]+)\/restriction\/byOperation\/read$/.exec(path);
    if (restricted) {
      const page = this.find(restricted[1]!);
      if (page?.readers === null) return null;
      const { users = [], groups = [] } = page?.readers ?? {};
      const user = (name: string) =>
        this.kind === "cloud" ? { accountId: name, email: "" } : { username: name };
      return {
        operation: "read",
        restrictions: {
          user: { results: users.map(user), size: users.length },
          group: { results: groups.map((name) => ({ id: name, name })), size: groups.length },
        },
      };
    }
    const group = members.exec(path)?.[1];
    if (group !== undefined) {
      const all = this.groups.get(decodeURIComponent(group));
      const start = Number(query.get("start"));
      return all === undefined
        ? null
        : {
            results: all
              .slice(start, start + Number(query.get("limit")))
              .map(({ account, email }) =>
                this.kind === "cloud"
                  ? { accountId: account, email }
                  : { username: account, email },
              ),
          };
    }
    const byId = /^\/rest\/api\/content\/[^/]+\/child\/attachment\/([^/]+)\/download$/.exec(
      path,
    )?.[1];
    const attachment = this.pages
      .flatMap((page) => page.attachments ?? [])
      .find(({ id }) => this.kind === "cloud" && id === byId);
    if (attachment !== undefined) return Buffer.from(`bytes of ${attachment.title}`);
    if (this.kind === "cloud") return null;
    const file = /^\/download\/attachments\/[^/]+\/(.+)$/.exec(path)?.[1];
    const version = query.get("version");
    return file === undefined
      ? null
      : Buffer.from(`bytes of ${decodeURIComponent(file)}${version ? `, version ${version}` : ""}`);
  }

  private attachmentsOf(page: FixturePage): object[] {
    return (page.attachments ?? []).map(({ id, title, mediaType, bytes, version = 1 }) => ({
      id,
      type: "attachment",
      title,
      version: { number: version },
      ...(this.kind === "cloud" && {
        container: { id: page.id, type: page.isPost ? "blogpost" : "page" },
      }),
      metadata: { mediaType },
      extensions: { mediaType, fileSize: bytes },
      _links: {
        webui: `/pages/viewpageattachments.action?pageId=${page.id}`,
        download: `/download/attachments/${page.id}/${encodeURIComponent(title)}${version > 1 ? `?version=${version}` : ""}`,
      },
    }));
  }
}

const missing = (response: ServerResponse): void => void response.writeHead(404).end("{}");
