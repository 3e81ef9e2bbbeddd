import type { Readable } from "node:stream";
import { CarrelError } from "@carrel/contracts";
import type { ContentResponse } from "@carrel/egress";
import type { z } from "zod";
import type { SourceContext } from "../connector/connector.ts";
import { readJson } from "../connector/read-json.ts";
import { throwStatus } from "../connector/source-fault.ts";

/** GitHub asks for a minute of silence if its secondary limit says nothing else. */
const secondaryWait = 60;
const maxWait = 3_600;
const maxFileMs = 120_000;

interface Reply {
  url: string;
  status: number;
  headers: Headers;
}

export interface Page<T> {
  data: T;
  /** The query of the next page; null on the last. */
  next: string | null;
}

/** Calls of a repository server's API. Its paths begin with "/". */
export class RepositoryClient {
  constructor(
    readonly api: string,
    private readonly headers: Record<string, string>,
    private readonly context: SourceContext,
  ) {}

  /** Throws the fault that a refusal means; `missing` replaces that of a 404. */
  async get<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    missing?: CarrelError,
  ): Promise<Page<z.output<Schema>>> {
    const reply = await this.request(path);
    if (missing !== undefined && (reply.status === 404 || reply.status === 410)) throw missing;
    return { data: readJson(accepted(reply), schema), next: nextQuery(reply, path) };
  }

  /** All pages of a short list, up to `maxPages`. */
  async getAll<Item>(path: string, schema: z.ZodType<Item[]>, maxPages: number): Promise<Item[]> {
    const items: Item[] = [];
    let next: string | null = path;
    for (let pages = 0; next !== null && pages < maxPages; pages += 1) {
      const page: Page<Item[]> = await this.get(next, schema);
      items.push(...page.data);
      next = page.next === null ? null : withQuery(path, page.next);
    }
    return items;
  }

  /** null if what it is about doesn't exist. */
  async find<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
  ): Promise<z.output<Schema> | null> {
    const reply = await this.request(path);
    return isMissing(reply) ? null : readJson(accepted(reply), schema);
  }

  /** The reply itself, also one that says that what it is about doesn't exist. */
  async ask(path: string, accept?: string): Promise<ContentResponse> {
    const own = accept === undefined ? this.headers : { ...this.headers, accept };
    const reply = await this.request(path, own);
    return isMissing(reply) ? reply : accepted(reply);
  }

  /** A file, or an archive of many, as a stream. */
  async open(
    path: string,
    options: { accept?: string; maxBytes: number; timeoutMs?: number },
  ): Promise<Readable> {
    const { content, signal } = this.context;
    const { accept, maxBytes, timeoutMs = maxFileMs } = options;
    const reply = await content.open(`${this.api}${path}`, {
      signal,
      headers: { ...this.headers, ...(accept !== undefined && { accept }) },
      maxBytes,
      timeoutMs,
    });
    if (reply.status >= 200 && reply.status <= 299) return reply.body;
    reply.body.destroy();
    throwRefusal(reply, "");
  }

  private request(path: string, headers = this.headers): Promise<ContentResponse> {
    const { content, signal } = this.context;
    return content.fetch(`${this.api}${path}`, { signal, headers });
  }
}

const isMissing = ({ status }: Reply): boolean => [404, 405, 409, 410, 422].includes(status);

/** Throws the fault of a refusal. */
function accepted(reply: ContentResponse): ContentResponse {
  if (reply.status < 200 || reply.status > 299)
    throwRefusal(reply, reply.body.subarray(0, 2_000).toString("utf8"));
  return reply;
}

/** Throws the fault of a reply; servers say in several ways that there were too many requests. */
function throwRefusal(reply: Reply, text: string): never {
  const { url, status, headers } = reply;
  const isUsedUp =
    (headers.get("x-ratelimit-remaining") ?? headers.get("ratelimit-remaining")) === "0";
  const isLimit =
    status === 429 ||
    (status === 403 && (isUsedUp || headers.has("retry-after") || /\brate limit/i.test(text)));
  if (!isLimit) throwStatus(reply);
  if (headers.has("retry-after")) throwStatus({ ...reply, status: 429 });
  const reset = Number(headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset"));
  const untilReset = isUsedUp && reset > 0 ? reset - Date.now() / 1_000 + 1 : secondaryWait;
  throw new CarrelError(
    "source.busy",
    { host: new URL(url).host },
    { retryAfter: Math.ceil(Math.min(maxWait, Math.max(1, untilReset))) },
  );
}

/**
 * Reads the Link header (RFC 8288). Only the query is used: servers behind a proxy often name
 * another host or protocol than the one they are reached by.
 */
function nextQuery({ headers }: Reply, path: string): string | null {
  const link = (headers.get("link") ?? "").slice(0, 10_000);
  for (const part of link.split(",")) {
    const [, address, parameters = ""] = /^\s*<([^>]*)>(.*)$/s.exec(part) ?? [];
    if (address === undefined || !/;\s*rel="?next"?/i.test(parameters)) continue;
    const query = URL.parse(address, "https://a.invalid")?.search ?? "";
    return query === "" || path.endsWith(query) ? null : query;
  }
  return null;
}

export const withQuery = (path: string, query: string): string => `${path.split("?")[0]}${query}`;

/** A path within an API, each segment encoded. */
export const encodePath = (path: string): string =>
  path.split("/").map(encodeURIComponent).join("/");
