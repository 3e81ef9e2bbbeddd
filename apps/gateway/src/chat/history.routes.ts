import {
  documentAccessChanged,
  listChats,
  listThreadChats,
  listTurns,
  readHistory,
  type HistoryItem,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Broadcast, RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { LRUCache } from "lru-cache";
import { Route, type Call } from "../http/route.ts";
import { sendJson } from "../http/send-reply.ts";
import { SharedReads } from "../http/shared-reads.ts";
import { ChatImages } from "./chat-images.ts";

type Page = NonNullable<Out<typeof readHistory>["page"]>;

/**
 * Maximum pages per history, each with at most 240 kB of text. Longer histories lose their oldest
 * turns.
 */
const maxPages = 200;
/** Characters of all cached pages, which take one or two bytes each. */
const cachedCharacters = 8_000_000;

/** A history as JSON for clients. */
interface HistoryText {
  /** The elements of an array of `historyItem`, oldest first, without its brackets. */
  items: string;
  hasImages: boolean;
}

/**
 * Reads whole histories, oldest turn first: existing clients have no paging here. Every page is
 * requested, but chat builds it only if the cached version is no longer current.
 */
@Injectable()
export class HistoryPages {
  private readonly pages = new LRUCache<string, { version: string; page: Page }>({
    maxSize: cachedCharacters,
    sizeCalculation: ({ page }) => page.items.length + 500,
  });
  private drops = 0;

  constructor(
    private readonly requests: RequestClient,
    broadcast: Broadcast,
  ) {
    // Versions don't tell whose citations a reader may see.
    const drop = (): void => {
      this.drops++;
      this.pages.clear();
    };
    broadcast.on(`event:${documentAccessChanged.name}`, drop);
    broadcast.onGap(drop);
  }

  async read(scope: Scope, thread: string | null): Promise<HistoryText> {
    const texts: string[] = [];
    let hasImages = false;
    let before: number | null = null;
    for (let count = 0; count < maxPages; count += 1) {
      const page: Page = await this.readPage(scope, thread, before);
      if (page.items !== "") texts.unshift(page.items);
      hasImages ||= page.hasImages;
      if (page.next === null) break;
      before = page.next;
    }
    return { items: texts.join(","), hasImages };
  }

  private async readPage(
    scope: Scope,
    thread: string | null,
    before: number | null,
  ): Promise<Page> {
    const { kind, userId } = scope.principal;
    const key = JSON.stringify([scope.workspace?.id, kind, userId, thread, before]);
    const known = this.pages.get(key);
    const { drops } = this;
    const { version, page } = await this.requests.request(
      readHistory,
      { thread, before, knownVersion: known?.version ?? null },
      { scope },
    );
    // Chat omits only a page whose version it was given.
    if (page === null) return known!.page;
    // Built before the drop, it may show what the reader may no longer see.
    if (this.drops === drops) this.pages.set(key, { version, page });
    return page;
  }
}

/**
 * Histories including the images of their questions, which are too large for a reply between
 * services.
 */
@Injectable()
export class HistoryRoutes {
  private readonly reads = new SharedReads<string>();

  constructor(
    private readonly requests: RequestClient,
    private readonly pages: HistoryPages,
    private readonly images: ChatImages,
  ) {}

  @Route(listChats)
  async inDefaultThread({ scope, reply }: Call<typeof listChats>): Promise<FastifyReply> {
    return sendJson(reply, await this.readShared(scope, null));
  }

  @Route(listThreadChats)
  async inThread({ input, scope, reply }: Call<typeof listThreadChats>): Promise<FastifyReply> {
    return sendJson(reply, await this.readShared(scope, input.threadSlug));
  }

  @Route(listTurns)
  async turns({ input, scope }: Call<typeof listTurns>): Promise<Out<typeof listTurns>> {
    const page = await this.requests.request(listTurns, input, { scope });
    return { ...page, turns: await this.images.fillItems(page.turns) };
  }

  private readShared({ principal, workspace }: Scope, thread: string | null): Promise<string> {
    // The address is left out, so that reads of the same session are shared, whatever address they
    // come from.
    const scope: Scope = { principal, workspace };
    return this.reads.read(JSON.stringify([scope, thread]), async () => {
      const { items, hasImages } = await this.pages.read(scope, thread);
      if (!hasImages) return `{"history":[${items}]}`;
      return JSON.stringify({
        history: await this.images.fillItems(JSON.parse(`[${items}]`) as HistoryItem[]),
      });
    });
  }
}
