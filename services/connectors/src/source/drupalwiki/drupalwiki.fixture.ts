import type { RequestListener } from "node:http";

/*
 * Written from Drupal Wiki's REST API ("scope" interface, described by the Swagger pages of version
 * 8 of each installation).
 */

export interface DrupalwikiPage {
  id: number;
  title: string;
  body: string;
  homeSpace: number;
  lastModified: number;
  attachments?: { id: number; fileName: string; fileSize?: number }[];
}

export class DrupalwikiFixture {
  pages: DrupalwikiPage[] = [];
  /** Statuses by path, in place of an answer. */
  readonly statuses = new Map<string, [number, Record<string, string>?]>();

  readonly listener: RequestListener = (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://fixture");
    const [status, headers] = this.statuses.get(pathname) ?? [];
    if (status !== undefined) return void response.writeHead(status, headers).end("no");
    if (request.headers.authorization !== "Bearer token")
      return void response.writeHead(401).end("{}");
    const path = pathname.replace("/api/rest/scope/api/", "");
    const found = this.answer(path, query);
    if (found === null) return void response.writeHead(404).end("{}");
    if (typeof found === "string") return void response.end(found);
    response.setHeader("content-type", "application/json").end(JSON.stringify(found));
  };

  private answer(path: string, query: URLSearchParams): object | string | null {
    const cut = <T>(all: T[]) => {
      const size = Number(query.get("size"));
      const start = Number(query.get("page")) * size;
      const content = all.slice(start, start + size);
      return { content, last: start + size >= all.length, totalElements: all.length };
    };
    if (path === "space")
      return cut([...new Set(this.pages.map(({ homeSpace }) => homeSpace))].map((id) => ({ id })));
    if (path === "page") {
      const pages = this.pages.filter(({ homeSpace }) => String(homeSpace) === query.get("space"));
      return cut(
        pages.map(({ id, title, homeSpace, lastModified }) => ({
          id,
          title,
          homeSpace,
          lastModified,
        })),
      );
    }
    const id = /^page\/(\d+)$/.exec(path)?.[1];
    if (id !== undefined) return this.pages.find((page) => String(page.id) === id) ?? null;
    if (path === "attachment")
      return this.pages.find((page) => String(page.id) === query.get("pageId"))?.attachments ?? [];
    const file = /^attachment\/(\d+)\/download$/.exec(path)?.[1];
    const attached = this.pages.flatMap(({ attachments = [] }) => attachments);
    return attached.some(({ id: known }) => String(known) === file) ? `bytes of ${file}` : null;
  }
}
