import { Readable } from "node:stream";
import type { ProcessConfig } from "@carrel/config";
import {
  CarrelError,
  countWidgetChats,
  listDeveloperWidgetChats,
  listWidgetChats,
  listWidgets,
  readWidgetChats,
  readWidgets,
  type Args,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { Route, type Call } from "../http/route.ts";
import { jsonType } from "../http/send-reply.ts";

type Page = Out<typeof readWidgetChats>;
type Chats = Page["chats"];

/** What admins see of widgets and their chats, combined from workspace and chat. */
@Injectable()
export class WidgetChatRoutes {
  constructor(
    private readonly requests: RequestClient,
    @Inject(CONFIG) private readonly config: ProcessConfig,
  ) {}

  @Route(listWidgets)
  async list({ scope }: Call<typeof listWidgets>): Promise<Out<typeof listWidgets>> {
    const { widgets } = await this.requests.request(readWidgets, {}, { scope });
    const widgetIds = widgets.map(({ id }) => id);
    const { counts } = await this.requests.request(countWidgetChats, { widgetIds }, { scope });
    return {
      embeds: widgets.map((widget) => ({
        ...widget,
        _count: { embed_chats: counts[String(widget.id)] ?? 0 },
      })),
      allowlist_required: this.config.EMBED_REQUIRE_ALLOWLIST,
    };
  }

  @Route(listWidgetChats)
  async listChats({
    input: { offset, limit, embed_id, session_id },
    scope,
  }: Call<typeof listWidgetChats>): Promise<Out<typeof listWidgetChats>> {
    this.requireVisible();
    const which = { widgetId: embed_id, sessionId: session_id };
    const chats: Chats = [];
    let page = await this.read({ ...which, offset: offset * limit, limit }, scope);
    const { total } = page;
    chats.push(...page.chats);
    // A page of long answers comes in parts.
    while (chats.length < limit && page.next !== null) {
      page = await this.read({ ...which, before: page.next, limit: limit - chats.length }, scope);
      chats.push(...page.chats);
    }
    return {
      chats: await this.nameWorkspaces(chats, scope),
      hasPages: total > (offset + 1) * limit,
      totalChats: total,
    };
  }

  @Route(listDeveloperWidgetChats)
  async stream({
    input: { uuid, sessionUuid },
    scope,
    reply,
  }: Call<typeof listDeveloperWidgetChats>): Promise<FastifyReply> {
    this.requireVisible();
    const { widgets } = await this.requests.request(readWidgets, { uuid }, { scope });
    const widget = widgets[0];
    if (widget === undefined) throw new CarrelError("widget.not-found");
    const which = { widgetId: widget.id, sessionId: sessionUuid, limit: 100 };
    // Read first, so that a failure comes before the reply begins.
    const first = await this.read(which, scope);
    return reply.type(jsonType).send(Readable.from(this.writeAll(first, which, scope)));
  }

  private async *writeAll(
    first: Page,
    which: Args<typeof readWidgetChats>,
    scope: Scope,
  ): AsyncGenerator<string> {
    let page = first;
    yield '{"chats":[';
    yield listed(page.chats);
    while (page.next !== null) {
      page = await this.read({ ...which, before: page.next }, scope);
      if (page.chats.length > 0) yield `,${listed(page.chats)}`;
    }
    yield "]}";
  }

  private read(input: Args<typeof readWidgetChats>, scope: Scope): Promise<Page> {
    return this.requests.request(readWidgetChats, input, { scope });
  }

  private async nameWorkspaces(
    chats: Chats,
    scope: Scope,
  ): Promise<Out<typeof listWidgetChats>["chats"]> {
    if (chats.length === 0) return [];
    const { widgets } = await this.requests.request(readWidgets, {}, { scope });
    const names = new Map(widgets.map(({ id, workspace }) => [id, workspace.name]));
    return chats.map((chat) => ({
      ...chat,
      embed_config: { workspace: { name: names.get(chat.embed_id) ?? "deleted workspace" } },
    }));
  }

  private requireVisible(): void {
    if (this.config.DISABLE_VIEW_CHAT_HISTORY)
      throw new CarrelError("access.chat-history-disabled");
  }
}

const listed = (chats: Chats): string => chats.map((chat) => JSON.stringify(chat)).join(",");
