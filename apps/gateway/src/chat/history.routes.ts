import {
  listChats,
  listThreadChats,
  listTurns,
  type HistoryItem,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { Route, type Call } from "../http/route.ts";
import { sendJson } from "../http/send-reply.ts";
import { SharedReads } from "../http/shared-reads.ts";
import { ChatImages } from "./chat-images.ts";
import { HistoryPages } from "./history-pages.ts";

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
