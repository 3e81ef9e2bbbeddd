import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

/* Written from Notion's published API reference (developers.notion.com/reference), 2022-06-28. */

export interface FixtureBlock {
  type: string;
  /** The field of the type's name. */
  value?: object;
  children?: FixtureBlock[];
}
export interface FixtureNotionPage {
  id: string;
  title: string;
  edited: string;
  blocks?: FixtureBlock[];
  properties?: Record<string, object>;
  /** The database that it is a row of; the search doesn't find it. */
  database?: string;
  isGone?: boolean;
}

export class NotionFixture {
  pages: FixtureNotionPage[] = [];
  databases: string[] = [];
  /** By which lists were sorted. */
  readonly orders: unknown[] = [];
  /** Answers by path, each used once. */
  readonly answers = new Map<string, ((response: ServerResponse) => void)[]>();

  readonly listener: RequestListener = (request, response) => {
    void this.answer(request, response);
  };

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://fixture");
    const own = this.answers.get(pathname)?.shift();
    if (own) return own(response);
    const { headers } = request;
    if (headers.authorization !== "Bearer secret")
      return void response.writeHead(401).end('{"code":"unauthorized"}');
    if (headers["notion-version"] !== "2022-06-28") return void response.writeHead(400).end("{}");
    const body = parts.length === 0 ? {} : (JSON.parse(Buffer.concat(parts).toString()) as object);
    if (request.method === "POST")
      this.orders.push("sorts" in body ? body.sorts : "sort" in body ? [body.sort] : []);
    const found = this.find(pathname, { ...Object.fromEntries(searchParams), ...body });
    if (found === null) return void response.writeHead(404).end("{}");
    response.setHeader("content-type", "application/json").end(JSON.stringify(found));
  }

  private find(path: string, query: { page_size?: number; start_cursor?: string }): object | null {
    const cut = <T>(all: T[], write: (each: T) => object) => {
      const start = Number(query.start_cursor ?? 0);
      const end = start + Math.min(100, Number(query.page_size ?? 100));
      const isMore = end < all.length;
      return {
        object: "list",
        results: all.slice(start, end).map(write),
        has_more: isMore,
        next_cursor: isMore ? String(end) : null,
      };
    };
    const page = (each: FixtureNotionPage) => ({
      object: "page",
      id: each.id,
      created_time: "2026-05-01T10:00:00.000Z",
      last_edited_time: each.edited,
      archived: each.isGone ?? false,
      url: `https://www.notion.so/${each.id}`,
      properties: {
        Name: { id: "title", type: "title", title: [{ plain_text: each.title }] },
        ...each.properties,
      },
    });
    if (path === "/v1/search")
      return cut(
        [...this.databases, ...this.pages.filter(({ database }) => database === undefined)],
        (each) =>
          typeof each === "string"
            ? { object: "database", id: each, title: [], properties: {} }
            : page(each),
      );
    const database = /^\/v1\/databases\/([^/]+)\/query$/.exec(path)?.[1];
    if (database !== undefined)
      return cut(
        this.pages.filter((each) => each.database === database),
        page,
      );
    const id = /^\/v1\/pages\/([^/]+)$/.exec(path)?.[1];
    if (id !== undefined) {
      const found = this.pages.find((each) => each.id === id);
      return found ? page(found) : null;
    }
    const parent = /^\/v1\/blocks\/([^/]+)\/children$/.exec(path)?.[1];
    const blocks = parent === undefined ? undefined : this.blocksOf(parent);
    return blocks === undefined
      ? null
      : cut(
          blocks.map((block, at) => ({ block, at })),
          ({ block: { type, value, children }, at }) => ({
            object: "block",
            id: `${parent}.${at}`,
            type,
            has_children: children !== undefined,
            [type]: value ?? {},
          }),
        );
  }

  /** Ids of blocks are paths. */
  private blocksOf(path: string): FixtureBlock[] | undefined {
    const [id, ...steps] = path.split(".");
    let blocks = this.pages.find((page) => page.id === id)?.blocks ?? [];
    for (const step of steps) blocks = blocks[Number(step)]?.children ?? [];
    return blocks;
  }
}
