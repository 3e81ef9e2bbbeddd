import { randomUUID } from "node:crypto";
import {
  CarrelError,
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
import { ProviderError } from "@carrel/providers";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Controller, Inject, Injectable, Module, type OnApplicationShutdown } from "@nestjs/common";
import type { ChatConfig } from "../chat.config.ts";
import { hasNullCharacter } from "../database/null-character.ts";
import { withAgentModel } from "../generation/generation-pipeline.ts";
import {
  LanguageModels,
  readThreadModelChoice,
  withThreadModel,
} from "../model/language-models.ts";
import { ModelModule } from "../model/model.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { threadNotFound } from "../thread/resolve-thread.ts";
import { ThreadModule } from "../thread/thread.module.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { InvocationRepository } from "./invocation.repository.ts";

const probeMs = 5_000;

/** Whether a conversation has a model that calls tools by itself. */
@Injectable()
class AgentModels {
  constructor(
    private readonly settings: SettingsCache,
    private readonly models: LanguageModels,
    private readonly threads: ThreadRepository,
    @Inject(CONFIG) private readonly config: ChatConfig,
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
    try {
      const { model } = this.models.choose(withAgentModel(chosen, choice), instance);
      if (model === null) return false;
      if (isCalled) return true;
      const disabled = this.config.PROVIDER_DISABLE_NATIVE_TOOL_CALLING;
      if (workspace.chatMode !== "automatic") return false;
      if (disabled === true || disabled.includes(model.provider)) return false;
      // Where only a request can tell, answers begin with the model's own tools.
      return (await model.supportsTools(AbortSignal.timeout(probeMs))) !== false;
    } catch (error) {
      // The answer itself says what is wrong with the model.
      if (error instanceof ProviderError || error instanceof CarrelError) return false;
      throw error;
    }
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
