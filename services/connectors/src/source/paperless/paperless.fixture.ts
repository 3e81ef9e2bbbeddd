import type { RequestListener } from "node:http";

/*
 * Written from the REST API of Paperless-ngx 2 (docs/api.md of its repository): pages as Django REST
 * framework writes them, documents with ids in place of names.
 */

export interface PaperlessDocument {
  id: number;
  title: string;
  content: string;
  modified: string;
  [field: string]: unknown;
}

export class PaperlessFixture {
  documents: PaperlessDocument[] = [];
  names: Record<string, object[]> = {};
  /** Statuses by path, in place of an answer. */
  readonly statuses = new Map<string, [number, Record<string, string>?]>();
  /** Headers of downloads. */
  fileHeaders: Record<string, string> = {};
  /** Pages of the documents by number, in place of their own. */
  readonly pages = new Map<string, object>();
  /** Where links to next pages lead. */
  linked = "http://elsewhere.example";
  readonly asked: string[] = [];

  readonly listener: RequestListener = (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://fixture");
    this.asked.push(pathname);
    const [status, headers] = this.statuses.get(pathname) ?? [];
    if (status !== undefined) return void response.writeHead(status, headers).end("no");
    if (request.headers.authorization !== "Token secret")
      return void response.writeHead(401).end('{"detail":"Invalid token."}');
    const download = /^\/docs\/api\/documents\/(\d+)\/download\/$/.exec(pathname)?.[1];
    if (download !== undefined) {
      const kind = query.get("original") === "true" ? "original" : "archive";
      return void response
        .writeHead(200, { "content-type": "application/pdf", ...this.fileHeaders })
        .end(`${kind} of ${download}`);
    }
    const found = this.answer(pathname, query);
    if (found === null) return void response.writeHead(404).end('{"detail":"Not found."}');
    response.setHeader("content-type", "application/json").end(JSON.stringify(found));
  };

  private answer(pathname: string, query: URLSearchParams): object | null {
    const [, list = "", id] = /^\/docs\/api\/(\w+)\/(?:(\d+)\/)?$/.exec(pathname) ?? [];
    if (id !== undefined) return this.documents.find((each) => String(each.id) === id) ?? null;
    const found: object[] | undefined = list === "documents" ? this.documents : this.names[list];
    if (found === undefined) return null;
    const all = query.get("ordering") === "-id" ? found.toReversed() : found;
    const own = list === "documents" && this.pages.get(query.get("page") ?? "");
    if (own) return own;
    const page = Number(query.get("page"));
    const size = Number(query.get("page_size"));
    const results = all.slice((page - 1) * size, page * size);
    const isMore = page * size < all.length;
    const next = isMore ? `${this.linked}${pathname}?page=${page + 1}` : null;
    return { count: all.length, next, previous: null, results };
  }
}
