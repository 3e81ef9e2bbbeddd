import {
  CarrelError,
  countContextTokens,
  findParsedFiles,
  getAnswerParameters,
  getContextWindow,
  setThreadParameters,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { ProviderError, type LanguageModel } from "@carrel/providers";
import { Controller, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { AgentModule } from "../agent/agent.module.ts";
import { AnswerModule } from "../answer/answer.module.ts";
import { defaultTemperature } from "../answer/model-answerer.ts";
import { BudgetModule } from "../budget/budget.module.ts";
import { stripNullCharacters } from "../database/null-character.ts";
import { InspectionModule } from "../inspection/inspection.module.ts";
import { MemoryModule } from "../memory/memory.module.ts";
import {
  LanguageModels,
  readThreadModelChoice,
  withThreadModel,
} from "../model/language-models.ts";
import { ModelModule } from "../model/model.module.ts";
import { PromptModule } from "../prompt/prompt.module.ts";
import { ReplicaModule } from "../replica/replica.module.ts";
import { RetrievalModule } from "../retrieval/retrieval.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { threadNotFound } from "../thread/resolve-thread.ts";
import { ThreadModule } from "../thread/thread.module.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { TurnModule } from "../turn/turn.module.ts";
import { UsageModule } from "../usage/usage.module.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { GenerationCancelRepository } from "./generation-cancel.repository.ts";
import { GenerationChanges } from "./generation-changes.ts";
import { GenerationClock } from "./generation-clock.ts";
import { AnswerKeeper, GenerationExecution } from "./generation-execution.ts";
import { GenerationLeaseRepository } from "./generation-lease.repository.ts";
import { GenerationPipeline } from "./generation-pipeline.ts";
import { GenerationResultRepository } from "./generation-result.repository.ts";
import { GenerationRunner } from "./generation-runner.ts";
import { GenerationStartHandler } from "./generation-start.handler.ts";
import { GenerationStartRepository } from "./generation-start.repository.ts";
import { GenerationStopper } from "./generation-stopper.ts";
import { GenerationAccess, GenerationHandler, ThreadModelHandler } from "./generation.handler.ts";
import { GenerationRepository } from "./generation.repository.ts";
import { DeletedGenerationRepository, LapsedAnswers } from "./lapsed-answers.ts";
import { HistoryReset, PendingTurns } from "./pending-turns.ts";
import { UnattendedStarts } from "./unattended-starts.ts";

/** How answers in a thread are written: the thread's own parameters and the workspace's. */
@Controller()
class ThreadParameterHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly threads: ThreadRepository,
    private readonly settings: SettingsCache,
    private readonly models: LanguageModels,
  ) {}

  @Handle(getAnswerParameters)
  async get(
    { thread }: In<typeof getAnswerParameters>,
    ctx: RequestContext,
  ): Promise<Out<typeof getAnswerParameters>> {
    const scope = inWorkspace(ctx.scope);
    const found = await this.threads.find(scope, thread ?? null);
    if (found === null && thread != null) throw threadNotFound();
    const [workspace, parameters, instance] = await Promise.all([
      this.settings.getWorkspace(scope),
      this.settings.getParameters(scope),
      this.settings.getInstance(),
    ]);
    const choice =
      found?.chatProvider == null ? null : { provider: found.chatProvider, model: found.chatModel };
    const effective = withThreadModel(workspace, choice, scope.principal, instance.values);
    return {
      thread: found?.answerParameters ?? {},
      workspace: { ...parameters, temperature: workspace.openAiTemp ?? defaultTemperature },
      supports: this.listSupported(effective, instance),
      workspaceSupports: this.listSupported(workspace, instance),
    };
  }

  @Handle(setThreadParameters)
  async set(
    { thread, parameters }: In<typeof setThreadParameters>,
    ctx: RequestContext,
  ): Promise<Out<typeof setThreadParameters>> {
    const scope = inWorkspace(ctx.scope);
    const systemPrompt = stripNullCharacters(parameters.systemPrompt ?? "").trim() || null;
    const isFound = await this.dataSource.transaction((manager) =>
      this.threads.setParameters(manager, scope, thread ?? null, { ...parameters, systemPrompt }),
    );
    if (!isFound) throw threadNotFound();
    return { success: true };
  }

  private listSupported(
    ...choice: Parameters<LanguageModels["choose"]>
  ): Out<typeof getAnswerParameters>["supports"] {
    const model = this.find(...choice);
    const { temperature = false, topP = false, effort = false } = model?.parameters ?? {};
    const hasModel = model !== null;
    return { maxTokens: hasModel, systemPrompt: hasModel, temperature, topP, effort };
  }

  /** null if the provider has no models or its settings are incomplete. */
  private find(...choice: Parameters<LanguageModels["choose"]>): LanguageModel | null {
    try {
      return this.models.choose(...choice).model;
    } catch (error) {
      if (error instanceof ProviderError || error instanceof CarrelError) return null;
      throw error;
    }
  }
}

@Controller()
class ContextWindowHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly threads: ThreadRepository,
    private readonly settings: SettingsCache,
    private readonly models: LanguageModels,
    private readonly requests: RequestClient,
  ) {}

  @Handle(getContextWindow)
  async get(
    { threadId }: In<typeof getContextWindow>,
    ctx: RequestContext,
  ): Promise<Out<typeof getContextWindow>> {
    const scope = inWorkspace(ctx.scope);
    const [ofWorkspace, instance, columns] = await Promise.all([
      this.settings.getWorkspace(scope),
      this.settings.getInstance(),
      threadId == null ? null : this.threads.findChoices(this.dataSource.manager, threadId),
    ]);
    const workspace = withThreadModel(
      ofWorkspace,
      readThreadModelChoice(columns),
      scope.principal,
      instance.values,
    );
    await this.models.prepare(workspace, instance);
    return { contextWindow: this.models.findContextWindow(workspace, instance) };
  }

  @Handle(countContextTokens)
  async countTokens(
    { threadId }: In<typeof countContextTokens>,
    ctx: RequestContext,
  ): Promise<Out<typeof countContextTokens>> {
    return {
      currentContextTokenCount: await this.countFileTokens(
        inWorkspace(ctx.scope),
        threadId ?? null,
      ),
    };
  }

  /** Counts the tokens of the files attached to a thread; null is the caller's default thread. */
  private async countFileTokens(scope: WorkspaceScope, threadId: number | null): Promise<number> {
    const id = threadId ?? (await this.threads.find(scope, null))?.id ?? null;
    if (id === null) return 0;
    try {
      const { files } = await this.requests.request(findParsedFiles, { threadId: id }, { scope });
      return files.reduce(
        (sum, file) => sum + (file.state === "parsed" ? file.tokenCountEstimate : 0),
        0,
      );
    } catch (error) {
      // During a rolling update, a replica of ingest may still run an earlier version.
      if (error instanceof CarrelError && error.kind === "UNSUPPORTED") return 0;
      throw error;
    }
  }
}

@Module({
  imports: [
    AgentModule,
    AnswerModule,
    BudgetModule,
    InspectionModule,
    MemoryModule,
    ModelModule,
    PromptModule,
    ReplicaModule,
    RetrievalModule,
    SettingModule,
    ThreadModule,
    TurnModule,
    UsageModule,
  ],
  controllers: [
    GenerationStartHandler,
    GenerationHandler,
    ContextWindowHandler,
    ThreadModelHandler,
    ThreadParameterHandler,
  ],
  providers: [
    AnswerKeeper,
    DeletedGenerationRepository,
    GenerationAccess,
    GenerationCancelRepository,
    GenerationChanges,
    GenerationClock,
    GenerationExecution,
    GenerationLeaseRepository,
    GenerationPipeline,
    GenerationRepository,
    GenerationResultRepository,
    GenerationRunner,
    GenerationStartRepository,
    GenerationStopper,
    HistoryReset,
    LapsedAnswers,
    PendingTurns,
    UnattendedStarts,
  ],
  exports: [GenerationStopper, UnattendedStarts],
})
export class GenerationModule {}
