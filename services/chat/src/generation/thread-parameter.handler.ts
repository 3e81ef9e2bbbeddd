import { Controller } from "@nestjs/common";
import {
  CarrelError,
  getAnswerParameters,
  setThreadParameters,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { ProviderError, type LanguageModel } from "@carrel/providers";
import { DataSource } from "typeorm";
import { defaultTemperature } from "../answer/model-answerer.ts";
import { stripNullCharacters } from "../database/null-character.ts";
import { LanguageModels } from "../model/language-models.ts";
import { withThreadModel } from "../model/thread-model-choice.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { threadNotFound } from "../thread/resolve-thread.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";

/** How answers in a thread are written: its own wishes and the workspace's. */
@Controller()
export class ThreadParameterHandler {
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
