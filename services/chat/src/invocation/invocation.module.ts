import { randomUUID } from "node:crypto";
import {
  accessChanged,
  closeInvocation,
  createInvocation,
  keepInvocation,
  openInvocation,
  type EventPayload,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import {
  Broadcast,
  Handle,
  Reconciler,
  type OutboxMessage,
  type RequestContext,
} from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Controller, Inject, Injectable, Module, type OnApplicationShutdown } from "@nestjs/common";
import { hasNullCharacter } from "../database/null-character.ts";
import { readThreadModelChoice, withThreadModel } from "../model/language-models.ts";
import { ModelModule } from "../model/model.module.ts";
import { ToolCalling, withAgentModel } from "../model/tool-calling.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { threadNotFound } from "../thread/resolve-thread.ts";
import { ThreadModule } from "../thread/thread.module.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { InvocationRepository } from "./invocation.repository.ts";

/** Whether a conversation has a model that calls tools by itself. */
@Injectable()
class AgentModels {
  constructor(
    private readonly settings: SettingsCache,
    private readonly toolCalling: ToolCalling,
    private readonly threads: ThreadRepository,
  ) {}

  /**
   * `isCalled`: by name; otherwise the workspace must be automatic and its model must support
   * tools.
   */
  async canAnswer(
    scope: WorkspaceScope,
    threadSlug: string | null,
    isCalled: boolean,
  ): Promise<boolean> {
    const thread = await this.threads.find(scope, threadSlug);
    if (thread === null && threadSlug !== null) throw threadNotFound();
    const [workspace, instance] = await Promise.all([
      this.settings.getWorkspace(scope),
      this.settings.getInstance(),
    ]);
    const choice =
      thread?.chatProvider == null
        ? null
        : readThreadModelChoice({
            chat_provider: thread.chatProvider,
            chat_model: thread.chatModel,
          });
    const chosen = withThreadModel(workspace, choice, scope.principal, instance.values);
    const ofAgents = withAgentModel(chosen, choice);
    return isCalled
      ? this.toolCalling.hasModel(ofAgents)
      : this.toolCalling.startsAgents(workspace, ofAgents);
  }
}

@Controller()
class InvocationHandler implements OnApplicationShutdown {
  private readonly stopListening: () => void;

  constructor(
    private readonly invocations: InvocationRepository,
    private readonly models: AgentModels,
    broadcast: Broadcast,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.stopListening = broadcast.on(`event:${accessChanged.name}`, (payload) => {
      const { userId } = payload as EventPayload<typeof accessChanged>;
      invocations
        .closeOf(userId)
        .catch((error: unknown) =>
          logger.warn({ err: error }, "couldn't end the agent sessions of a person"),
        );
    });
  }

  onApplicationShutdown(): void {
    this.stopListening();
  }

  @Handle(createInvocation)
  async create(
    { threadSlug, message, attachments, timeZone, locale }: In<typeof createInvocation>,
    ctx: RequestContext,
  ): Promise<Out<typeof createInvocation>> {
    const scope = inWorkspace(ctx.scope);
    if (threadSlug !== null && hasNullCharacter(threadSlug)) throw threadNotFound();
    if (!(await this.models.canAnswer(scope, threadSlug, message.startsWith("@agent"))))
      return { uuid: null };
    const uuid = randomUUID();
    await this.invocations.add(scope, {
      uuid,
      threadSlug,
      prompt: message,
      attachments,
      timeZone: timeZone ?? null,
      locale: locale ?? null,
    });
    return { uuid };
  }

  @Handle(openInvocation)
  async open({
    uuid,
    connection,
    person,
  }: In<typeof openInvocation>): Promise<Out<typeof openInvocation>> {
    const opened = await this.invocations.open(uuid, connection, person);
    return typeof opened === "string" ? { state: opened } : { state: "open", invocation: opened };
  }

  @Handle(keepInvocation)
  async keep({
    id,
    connection,
    ...change
  }: In<typeof keepInvocation>): Promise<Out<typeof keepInvocation>> {
    return { isOwner: await this.invocations.keep(id, connection, change) };
  }

  @Handle(closeInvocation)
  async close({ id }: In<typeof closeInvocation>): Promise<Out<typeof closeInvocation>> {
    await this.invocations.close(id);
    return {};
  }
}

/** Deletes old sessions: they hold what people wrote. */
@Injectable()
class InvocationSweeper extends Reconciler {
  constructor(private readonly invocations: InvocationRepository) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    await this.invocations.prune();
    return [];
  }
}

@Module({
  imports: [ModelModule, SettingModule, ThreadModule],
  controllers: [InvocationHandler],
  providers: [AgentModels, InvocationRepository, InvocationSweeper],
})
export class InvocationModule {}
