import {
  CarrelError,
  chooseThreadModel,
  getThreadModel,
  quotingProvider,
  type In,
  type Out,
  type ThreadModel,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { ProviderError, type LanguageModel } from "@carrel/providers";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { LanguageModels, chooseProvider } from "../model/language-models.ts";
import {
  isAllowedChoice,
  mayChooseModel,
  modelLabel,
  providerName,
  withThreadModel,
  type ThreadModelChoice,
} from "../model/thread-model-choice.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { threadNotFound } from "../thread/resolve-thread.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";

/** If the model's server takes longer, its name is shown without knowing whether it sees images. */
const timeoutMs = 1_000;

/** The model that answers in a thread: its owner's choice or the workspace's. */
@Controller()
export class ThreadModelHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly threads: ThreadRepository,
    private readonly settings: SettingsCache,
    private readonly models: LanguageModels,
  ) {}

  @Handle(getThreadModel)
  async get(
    { thread }: In<typeof getThreadModel>,
    ctx: RequestContext,
  ): Promise<Out<typeof getThreadModel>> {
    const scope = inWorkspace(ctx.scope);
    const found = await this.threads.find(scope, thread ?? null);
    if (found === null && thread != null) throw threadNotFound();
    return this.describe(
      ctx,
      found?.chatProvider == null ? null : { provider: found.chatProvider, model: found.chatModel },
    );
  }

  @Handle(chooseThreadModel)
  async choose(
    { thread, choice }: In<typeof chooseThreadModel>,
    ctx: RequestContext,
  ): Promise<Out<typeof chooseThreadModel>> {
    const scope = inWorkspace(ctx.scope);
    const [workspace, instance] = await Promise.all([
      this.settings.getWorkspace(scope),
      this.settings.getInstance(),
    ]);
    if (choice !== null) {
      if (!mayChooseModel(scope.principal, instance.values))
        throw new CarrelError("access.models-by-managers");
      if (!isAllowedChoice(choice, instance.values))
        throw new CarrelError("provider.model-not-allowed", {
          model: modelLabel(choice),
        });
      this.requireReady(
        { ...workspace, chatProvider: choice.provider, chatModel: choice.model },
        instance,
      );
    }
    const isFound = await this.dataSource.transaction((manager) =>
      this.threads.chooseModel(manager, scope, thread ?? null, choice),
    );
    if (!isFound) throw threadNotFound();
    return this.describe(ctx, choice);
  }

  private async describe(
    ctx: RequestContext,
    choice: ThreadModelChoice | null,
  ): Promise<ThreadModel> {
    const scope = inWorkspace(ctx.scope);
    const [workspace, instance] = await Promise.all([
      this.settings.getWorkspace(scope),
      this.settings.getInstance(),
    ]);
    const effective = withThreadModel(workspace, choice, scope.principal, instance.values);
    const { provider, model } = chooseProvider(effective, instance.values);
    const configured = this.find(effective, instance);
    return {
      provider,
      providerName: providerName(provider),
      model: configured?.model ?? model,
      isOwnChoice: effective !== workspace,
      seesImages:
        provider === quotingProvider
          ? false
          : ((await configured?.supportsImages(
              AbortSignal.any([ctx.signal, AbortSignal.timeout(timeoutMs)]),
            )) ?? null),
      mayChoose: mayChooseModel(scope.principal, instance.values),
    };
  }

  /** Throws the error that a question would get: an unknown provider, or incomplete settings. */
  private requireReady(...choice: Parameters<LanguageModels["choose"]>): void {
    try {
      this.models.choose(...choice);
    } catch (error) {
      throw error instanceof ProviderError ? CarrelError.fromFault(error.fault) : error;
    }
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
