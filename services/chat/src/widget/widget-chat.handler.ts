import { Controller, Inject } from "@nestjs/common";
import {
  CarrelError,
  countWidgetChats,
  deleteWidgetChat,
  deleteWidgetSession,
  getWidgetUsage,
  listWidgetSessions,
  readWidgetChats,
  stopWidgetSession,
  type In,
  type Out,
} from "@carrel/contracts";
import type { InstanceConfig } from "@carrel/config";
import { Handle, type RequestContext } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { GenerationStopper } from "../generation/generation-stopper.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { WidgetChatDeletion } from "./widget-chat-deletion.ts";
import { WidgetChatRepository } from "./widget-chat.repository.ts";
import { WidgetSessionRepository } from "./widget-session.repository.ts";
import { WidgetUsageRepository } from "./widget-usage.repository.ts";

/** Chats with visitors of widgets (wire-contract 8.1). */
@Controller()
export class WidgetChatHandler {
  constructor(
    private readonly chats: WidgetChatRepository,
    private readonly sessions: WidgetSessionRepository,
    private readonly usage: WidgetUsageRepository,
    private readonly deletion: WidgetChatDeletion,
    private readonly stopper: GenerationStopper,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  @Handle(readWidgetChats)
  read(input: In<typeof readWidgetChats>): Promise<Out<typeof readWidgetChats>> {
    return this.chats.list(input);
  }

  @Handle(countWidgetChats)
  async count({ widgetIds }: In<typeof countWidgetChats>): Promise<Out<typeof countWidgetChats>> {
    return { counts: await this.chats.count(widgetIds) };
  }

  @Handle(listWidgetSessions)
  async listSessions({
    id,
    cursor,
  }: In<typeof listWidgetSessions>): Promise<Out<typeof listWidgetSessions>> {
    if (this.config.DISABLE_VIEW_CHAT_HISTORY)
      throw new CarrelError("access.chat-history-disabled");
    return this.sessions.list(id, cursor);
  }

  @Handle(getWidgetUsage)
  getUsage(input: In<typeof getWidgetUsage>): Promise<Out<typeof getWidgetUsage>> {
    return this.usage.read(input);
  }

  /** An unknown chat is a success on this wire. */
  @Handle(deleteWidgetChat)
  async deleteChat(
    { chatId }: In<typeof deleteWidgetChat>,
    { scope }: RequestContext,
  ): Promise<Out<typeof deleteWidgetChat>> {
    await this.deletion.deleteChat(scope, chatId);
    return { success: true, error: null };
  }

  @Handle(deleteWidgetSession)
  async deleteSession(
    { id, sessionId }: In<typeof deleteWidgetSession>,
    { scope }: RequestContext,
  ): Promise<Out<typeof deleteWidgetSession>> {
    await this.deletion.deleteSession(scope, id, sessionId);
    return { success: true };
  }

  @Handle(stopWidgetSession)
  async stop(
    { widgetId, sessionId }: In<typeof stopWidgetSession>,
    ctx: RequestContext,
  ): Promise<Out<typeof stopWidgetSession>> {
    const scope = inWorkspace(ctx.scope);
    const running = await this.chats.listRunning(scope.workspace.id, widgetId, sessionId);
    for (const generationId of running) await this.stopper.stop(scope, generationId);
    return {};
  }
}
