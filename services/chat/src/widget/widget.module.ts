import type { InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  countWidgetChats,
  deleteWidgetChat,
  deleteWidgetSession,
  findMissingWidgets,
  getWidgetUsage,
  listWidgetSessions,
  readWidgetChats,
  servicePrincipal,
  stopWidgetSession,
  widgetDeleted,
  type EventPayload,
  type In,
  type Out,
} from "@carrel/contracts";
import {
  Consume,
  Handle,
  OrphanReconciler,
  Reconciler,
  RequestClient,
  eventMessage,
  type OutboxMessage,
  type RequestContext,
} from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Inject, Injectable, Module } from "@nestjs/common";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { GenerationStopper } from "../generation/generation-stopper.ts";
import { GenerationModule } from "../generation/generation.module.ts";
import { TurnModule } from "../turn/turn.module.ts";
import { UsageModule } from "../usage/usage.module.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { WidgetChatDeletion, WidgetChatRepository } from "./widget-chat.repository.ts";
import { WidgetSessionRepository, WidgetUsageRepository } from "./widget-session.repository.ts";

/** Chats with visitors of widgets (wire-contract 8.1). */
@Controller()
class WidgetChatHandler {
  constructor(
    private readonly chats: WidgetChatRepository,
    private readonly sessions: WidgetSessionRepository,
    private readonly usage: WidgetUsageRepository,
    private readonly deletion: WidgetChatDeletion,
    private readonly stopper: GenerationStopper,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  @Handle(readWidgetChats)
  read(
    input: In<typeof readWidgetChats>,
    { scope }: RequestContext,
  ): Promise<Out<typeof readWidgetChats>> {
    return this.chats.list(scope, input);
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

/** Deletes chats of widgets whose deletion was lost, or whose visitors were still asking. */
@Injectable()
class WidgetOrphanReconciler extends OrphanReconciler {
  constructor(
    private readonly chats: WidgetChatRepository,
    private readonly requests: RequestClient,
  ) {
    super();
  }

  protected override listIds(after: number, limit: number): Promise<number[]> {
    return this.chats.listWidgetIds(after, limit);
  }

  protected override async findMissing(ids: number[]): Promise<number[]> {
    const scope = { principal: servicePrincipal, workspace: null };
    return (await this.requests.request(findMissingWidgets, { ids }, { scope })).ids;
  }

  protected override deletionOf(widgetId: number): OutboxMessage {
    return eventMessage(widgetDeleted, { widgetId });
  }
}

const batch = 500;

/** Refused questions of visitors aren't stored longer than their answers may be asked for again. */
@Injectable()
export class RefusalReconciler extends Reconciler {
  constructor(private readonly chats: WidgetChatRepository) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    while ((await this.chats.deleteRefusals(batch)) === batch);
    return [];
  }
}

/** Idempotent. */
@Injectable()
class WidgetDeletedConsumer {
  constructor(private readonly deletion: WidgetChatDeletion) {}

  @Consume(widgetDeleted)
  async delete({ widgetId }: EventPayload<typeof widgetDeleted>): Promise<void> {
    await this.deletion.deleteAll(widgetId);
  }
}

@Module({
  imports: [EventLogModule, GenerationModule, TurnModule, UsageModule],
  controllers: [WidgetChatHandler],
  providers: [
    RefusalReconciler,
    WidgetChatDeletion,
    WidgetChatRepository,
    WidgetDeletedConsumer,
    WidgetOrphanReconciler,
    WidgetSessionRepository,
    WidgetUsageRepository,
  ],
})
export class WidgetModule {}
