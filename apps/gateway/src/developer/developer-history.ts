import type { InstanceConfig } from "@carrel/config";
import { readAllTurns, type Args, type HistoryItem, type Out, type Scope } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { ChatImages } from "../chat/chat-images.ts";
import { sendJson } from "../http/send-reply.ts";

/** Pages of at most 240 kB of text each; longer histories are cut. */
const maxPages = 200;

/**
 * Histories of all owners, with the images of their questions; with DISABLE_VIEW_CHAT_HISTORY, only
 * what programs asked.
 */
@Injectable()
export class DeveloperHistory {
  constructor(
    private readonly requests: RequestClient,
    private readonly images: ChatImages,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  /** Replies with `{history}`; `limit` counts exchanges. */
  async send(
    reply: FastifyReply,
    scope: Scope,
    wanted: Omit<Args<typeof readAllTurns>, "after" | "ownerless">,
  ): Promise<FastifyReply> {
    const ownerless = this.config.DISABLE_VIEW_CHAT_HISTORY;
    const texts: string[] = [];
    let hasImages = false;
    let room = wanted.limit;
    let after: number | null = null;
    for (let pages = 0; pages < maxPages && room > 0; pages += 1) {
      const page: Out<typeof readAllTurns> = await this.requests.request(
        readAllTurns,
        { ...wanted, ownerless, limit: room, after },
        { scope },
      );
      if (page.items !== "") texts.push(page.items);
      hasImages ||= page.hasImages;
      room -= page.count;
      after = page.next;
      if (after === null) break;
    }
    const items = texts.join(",");
    if (!hasImages) return sendJson(reply, `{"history":[${items}]}`);
    const history = await this.images.fillItems(JSON.parse(`[${items}]`) as HistoryItem[]);
    return sendJson(reply, JSON.stringify({ history }));
  }
}
