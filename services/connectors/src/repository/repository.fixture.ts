import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { createContentClient } from "@carrel/egress";
import { pack, type Headers } from "tar-stream";
import type { z } from "zod";
import type { Connector, Fetched, ListedItem, ListedPage, Source } from "../connector/connector.ts";

export interface FixtureFile {
  content: string | Buffer;
  /** As git has it; a plain file by default. */
  mode?: "100644" | "120000" | "160000";
}
export type FixtureTree = Map<string, FixtureFile>;

const hashes = new WeakMap<FixtureFile, string>();

export function hashOf(file: FixtureFile): string {
  const { content } = file;
  const header = `blob ${Buffer.byteLength(content)}\0`;
  const hash = hashes.get(file) ?? createHash("sha1").update(header).update(content).digest("hex");
  hashes.set(file, hash);
  return hash;
}

export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
) => void | Promise<void>;

/** A server with one repository; each vendor's fixture adds its routes. */
export abstract class RepositoryFixture {
  readonly commits = new Map<string, FixtureTree>();
  readonly requests: string[] = [];
  /** In place of the server's own answers, by path. */
  readonly answers = new Map<string, Handler>();
  token: string | null = null;
  branches = new Map<string, string>();
  origin = "";
  private made = 0;
  private readonly server = createServer((request, response) => {
    void this.answer(request, response);
  });

  protected abstract route(request: IncomingMessage, response: ServerResponse, url: URL): boolean;
  protected abstract isSignedIn(request: IncomingMessage): boolean;

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.origin = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Makes a commit the head of a branch; returns it. */
  commit(files: Record<string, FixtureFile | string>, branch = "main"): string {
    const tree: FixtureTree = new Map(
      Object.entries(files).map(([path, file]) => [
        path,
        typeof file === "string" ? { content: file } : file,
      ]),
    );
    this.made += 1;
    const name = createHash("sha1").update(`commit ${this.made}`).digest("hex");
    this.commits.set(name, tree);
    this.branches.set(branch, name);
    return name;
  }

  findBlob(sha: string): FixtureFile | null {
    for (const tree of this.commits.values())
      for (const file of tree.values()) if (hashOf(file) === sha) return file;
    return null;
  }

  count(part: string): number {
    return this.requests.filter((request) => request.includes(part)).length;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, this.origin);
    this.requests.push(request.url!);
    const own = this.answers.get(url.pathname);
    if (own !== undefined) return own(request, response, url);
    const { authorization = request.headers["private-token"] } = request.headers;
    if (this.token !== null && !this.isSignedIn(request))
      return refuse(response, authorization === undefined ? 404 : 401);
    if (!this.route(request, response, url)) refuse(response, 404);
  }
}

export const refuse = (response: ServerResponse, status: number, headers = {}): void => {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ message: "refused" }));
};

export const send = (response: ServerResponse, body: unknown, headers = {}): void => {
  response.writeHead(200, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
};

/** A page of a list with a Link header, whose host is another, as behind a proxy. */
export function sendPage(
  response: ServerResponse,
  url: URL,
  all: readonly unknown[],
  sizeName = "per_page",
): void {
  const page = Number(url.searchParams.get("page") ?? 1);
  const size = Number(url.searchParams.get(sizeName) ?? 30);
  const next = new URL(url);
  next.host = "inside.example";
  next.searchParams.set("page", String(page + 1));
  send(
    response,
    all.slice((page - 1) * size, page * size),
    page * size < all.length ? { link: `<${next.href}>; rel="next"` } : {},
  );
}

/** Hostile entries come first. */
export function writeArchive(tree: FixtureTree, hostile: readonly [Headers, string][] = []) {
  const archive = pack();
  for (const [headers, content] of hostile) archive.entry(headers, content);
  for (const [path, { content, mode }] of tree) {
    const name = `repository-abc/${path}`;
    if (mode === "120000") archive.entry({ name, type: "symlink", linkname: String(content) });
    else if (mode === "160000") archive.entry({ name, type: "directory" });
    else archive.entry({ name }, Buffer.from(content));
  }
  archive.finalize();
  return Readable.from(archive).pipe(createGzip({ level: 1 }));
}

/** The network, as connectors have it. */
export const fixtureContext = () => ({
  content: createContentClient({ allow: ["127.0.0.1"] }),
  signal: new AbortController().signal,
});

/** A connector's source, as a turn of a run opens it. */
export const openSource = <S extends z.ZodType, C extends z.ZodType, I extends z.ZodType>(
  { settings: form, credential, open }: Connector<S, C, I>,
  settings: object,
  token?: string,
): Promise<Source<z.output<I>>> =>
  open(form.parse(settings), credential.parse({ token }), fixtureContext());

/** The whole listing. */
export async function listAll<Item>(source: Pick<Source<Item>, "list">) {
  const items: ListedItem<Item>[] = [];
  let cursor: string | null = null;
  let mark: string | undefined;
  let pages = 0;
  let leftOut: Partial<Item> | undefined;
  do {
    const page: ListedPage<Item> = await source.list(cursor);
    items.push(...page.items);
    cursor = page.next;
    mark = page.mark;
    pages += 1;
    leftOut ??= page.leftOut;
  } while (cursor !== null);
  return { items, mark, pages, leftOut };
}

/** Text of an item as its source has it now, if not with this version; as a refresh reads it. */
export async function refreshed<Item>(
  source: Source<Item>,
  { item, version }: Pick<ListedItem<Item>, "item" | "version">,
): Promise<string> {
  const current = await source.current!(item);
  if (current === null) return "gone";
  if (current.skip !== undefined) return current.skip.code;
  return current.version !== undefined && current.version === version
    ? "unchanged"
    : textOf(await source.fetch(current.item, version ?? null));
}

/** Text of a document, or the code of its fault. */
export async function textOf(fetched: Fetched): Promise<string> {
  if (fetched.kind === "skipped") return fetched.fault.code;
  if (fetched.kind === "unchanged") return "unchanged";
  const pieces: Buffer[] = [];
  for await (const piece of fetched.body) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}
