import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { CarrelError, clipText, type KnownFault } from "@carrel/contracts";
import { writeMarkdown } from "@carrel/markup";
import { z } from "zod";
import type { Fetched, ListedItem, ListedPage, Source } from "../../connector/connector.ts";
import { toFilename } from "../../connector/file-type.ts";
import type { JsonApi } from "../../connector/json-api.ts";
import { isBusy, waitOf } from "../../connector/source-fault.ts";
import { convertBlocks, notionBlock, readProperty, type BlockTree } from "./notion-blocks.ts";

export const notionItem = z.object({ id: z.string() });
export type NotionItem = z.output<typeof notionItem>;

const pageSize = 100;
const maxDocuments = 50_000;
const maxDatabases = 5_000;
/** Requests for the blocks of one page, and how deep these may be. */
const maxRequests = 1_000;
const maxDepth = 12;
/** Notion allows three requests a second: short waits in the middle of a page are sat out. */
const maxTries = 5;
const longestWaitMs = 10_000;
/** Times of edits are whole minutes: a page may be edited again without another time. */
const settledMs = 120_000;

const found = z.looseObject({
  object: z.string(),
  id: z.string(),
  last_edited_time: z.string().default(""),
  created_time: z.string().default(""),
  archived: z.boolean().default(false),
  in_trash: z.boolean().default(false),
  url: z.string().nullish(),
  properties: z.record(z.string(), z.unknown()).default({}),
});
type Found = z.output<typeof found>;
const pageOf = <Schema extends z.ZodType>(result: Schema) =>
  z.object({
    results: z.array(result),
    has_more: z.boolean().default(false),
    next_cursor: z.string().nullish(),
  });
const foundPage = pageOf(found);
const blockPage = pageOf(notionBlock);

/** What is still to be listed: the search first, then the databases that it found. */
const listCursor = z.object({
  searched: z.boolean(),
  next: z.string().nullable(),
  databases: z.array(z.string()),
});
type ListCursor = z.output<typeof listCursor>;

/** The pages that are shared with an integration, and those in shared databases. */
export class NotionSource implements Source<NotionItem> {
  readonly limits = { parallel: 2, maxDocuments, maxItems: maxDocuments * 2 };

  constructor(
    private readonly api: JsonApi,
    private readonly signal: AbortSignal,
  ) {}

  async check(): Promise<void> {
    await this.api.post("/v1/search", { page_size: 1 }, foundPage);
  }

  async list(cursor: string | null): Promise<ListedPage<NotionItem>> {
    const at: ListCursor =
      cursor === null
        ? { searched: false, next: null, databases: [] }
        : listCursor.parse(JSON.parse(cursor));
    const path = at.searched
      ? `/v1/databases/${encodeURIComponent(at.databases[0]!)}/query`
      : "/v1/search";
    const timestamp = "last_edited_time";
    // What is edited meanwhile moves to the end, rather than before the cursor.
    const order = at.searched
      ? { sorts: [{ timestamp, direction: "ascending" }] }
      : { sort: { timestamp, direction: "ascending" } };
    const body = {
      page_size: pageSize,
      ...order,
      ...(at.next !== null && { start_cursor: at.next }),
    };
    const answer = await this.patiently(() => this.api.post(path, body, foundPage)).catch(
      (error: unknown) => {
        const skip = at.searched ? readRefusal(error, this.api.host) : null;
        if (skip === null) throw error;
        return skip;
      },
    );
    if ("code" in answer) return leaveOut(at, answer);
    const page = answer;
    const current = page.results.filter(({ archived, in_trash: inTrash }) => !archived && !inTrash);
    const databases = current.filter(({ object }) => object === "database").map(({ id }) => id);
    const next = page.has_more && page.next_cursor ? page.next_cursor : null;
    const after: ListCursor = at.searched
      ? { searched: true, next, databases: next === null ? at.databases.slice(1) : at.databases }
      : {
          searched: next === null,
          next,
          databases: [...at.databases, ...databases].slice(0, maxDatabases),
        };
    return {
      items: current.filter(({ object }) => object === "page").map(toListed),
      next: writeCursor(after),
    };
  }

  async fetch({ id }: NotionItem, version: string | null): Promise<Fetched<NotionItem>> {
    const page = await this.patiently(() =>
      this.api.get(`/v1/pages/${encodeURIComponent(id)}`, found),
    );
    if (page.archived || page.in_trash)
      throw new CarrelError("source.missing", { host: this.api.host });
    if (version !== null && version === page.last_edited_time) return { kind: "unchanged" };
    const title = titleOf(page);
    const address = addressOf(page);
    const facts = Object.entries(page.properties).flatMap(([name, value]) => {
      const text = readProperty(value).replace(/\s+/g, " ").trim();
      return text === "" || isTitle(value) ? [] : [`- ${name}: ${text}`];
    });
    const requests = { left: maxRequests };
    const blocks = await this.readBlocks(id, requests, 0);
    const text = writeMarkdown(convertBlocks(blocks));
    if (text === "" && facts.length === 0)
      return { kind: "skipped", fault: { code: "source.item-empty" } };
    const parts = [`# ${title}`, facts.join("\n"), text].filter((part) => part !== "");
    return {
      kind: "document",
      body: Readable.from([Buffer.from(`${parts.join("\n\n")}\n`)]),
      filename: toFilename(title, ".md"),
      mime: "text/markdown",
      source: { kind: "connector", connector: "notion", reference: address },
      metadata: {
        title,
        url: address,
        docAuthor: "Notion",
        description: clipText(title, 1_000),
        docSource: "Notion",
        ...(page.last_edited_time && { published: clipText(page.last_edited_time, 100) }),
      },
      ...versionOf(page),
    };
  }

  /** The blocks in a page or block; what is too much or too deep is left out. */
  private async readBlocks(
    id: string,
    requests: { left: number },
    depth: number,
  ): Promise<BlockTree[]> {
    const trees: BlockTree[] = [];
    let cursor: string | null = null;
    do {
      if (requests.left <= 0) break;
      requests.left -= 1;
      const query = new URLSearchParams({
        page_size: String(pageSize),
        ...(cursor !== null && { start_cursor: cursor }),
      });
      const path = `/v1/blocks/${encodeURIComponent(id)}/children?${query}`;
      const page: z.output<typeof blockPage> = await this.patiently(() =>
        this.api.get(path, blockPage),
      );
      for (const block of page.results)
        trees.push({
          block,
          // Pages within are documents of their own.
          children:
            block.has_children && !block.type.startsWith("child_") && depth < maxDepth
              ? await this.readBlocks(block.id, requests, depth + 1)
              : [],
        });
      cursor = page.has_more && page.next_cursor ? page.next_cursor : null;
    } while (cursor !== null);
    return trees;
  }

  /** A page of many blocks would begin again with each short wait. */
  private async patiently<T>(ask: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1)
      try {
        return await ask();
      } catch (error) {
        if (!isBusy(error) || waitOf(error) > longestWaitMs || tries >= maxTries) throw error;
        await setTimeout(waitOf(error), undefined, { signal: this.signal });
      }
  }
}

const toListed = (page: Found): ListedItem<NotionItem> => ({
  externalId: page.id,
  item: { id: page.id },
  title: titleOf(page),
  address: addressOf(page),
  ...versionOf(page),
});

const versionOf = ({ last_edited_time: edited }: Found): { version?: string } =>
  edited === "" || Date.now() - Date.parse(edited) < settledMs ? {} : { version: edited };

const writeCursor = (at: ListCursor): string | null =>
  at.searched && at.databases.length === 0 ? null : JSON.stringify(at);

/**
 * Why a database can't be read: it isn't shared any more, or has several data sources, of which this
 * version of the interface knows nothing. null if it is something else.
 */
function readRefusal(error: unknown, host: string): KnownFault | null {
  if (!(error instanceof CarrelError)) return null;
  if (error.code === "source.missing") return { code: error.code, params: { host } };
  return error.code === "egress.unexpected-response"
    ? { code: error.code, params: { host } }
    : null;
}

/** Goes on without a database; the rows that it had are asked for as pages. */
function leaveOut({ databases }: ListCursor, skip: KnownFault): ListedPage<NotionItem> {
  const [id = "", ...others] = databases;
  const address = addressOf({ id });
  return {
    items: [{ externalId: id, item: { id }, title: "Database", address, skip }],
    next: writeCursor({ searched: true, next: null, databases: others }),
    asksUnlisted: true,
  };
}

const isTitle = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "type" in value && value.type === "title";

function titleOf({ properties }: Found): string {
  const title = Object.values(properties).find(isTitle);
  return readProperty(title).replace(/\s+/g, " ").trim() || "Untitled";
}

/** Where people see it. */
function addressOf({ id, url }: Pick<Found, "id" | "url">): string {
  return url?.startsWith("https://") && URL.canParse(url)
    ? url
    : `https://www.notion.so/${encodeURIComponent(id.replaceAll("-", ""))}`;
}
