import {
  CarrelError,
  attachGeneration,
  cancelGeneration,
  chooseThreadModel,
  getThreadGeneration,
  getThreadModel,
  quotingProvider,
  resolveWorkspace,
  type In,
  type Out,
  type Scope,
  type ThreadModel,
} from "@carrel/contracts";
import {
  Handle,
  RequestClient,
  StreamGoneError,
  Streams,
  type RequestContext,
} from "@carrel/messaging";
import { ProviderError, type LanguageModel } from "@carrel/providers";
import { Controller, Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import {
  LanguageModels,
  chooseProvider,
  isAllowedChoice,
  mayChooseModel,
  modelLabel,
  providerName,
  withThreadModel,
  type ThreadModelChoice,
} from "../model/language-models.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { resolveThread, threadNotFound } from "../thread/resolve-thread.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { CitationAccess } from "../turn/citation-access.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { rebuildFrames } from "./frames.ts";
import { streamKey } from "./generation-output.ts";
import { GenerationRunner } from "./generation-runner.ts";
import { GenerationStopper } from "./generation-stopper.ts";
import { GenerationRepository } from "./generation.repository.ts";

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

/** The name of the default thread in a route. */
const defaultThread = "default";
/** Streams expire this long after their end; after that, PostgreSQL answers without Redis. */
const streamLifeMs = 290_000;

const generationNotFound = (): CarrelError => new CarrelError("generation.not-found");

/**
 * Generation routes name no workspace, so the guard has not checked access to it: the caller may
 * have been removed from the workspace since asking.
 */
@Injectable()
export class GenerationAccess {
  constructor(
    private readonly generations: GenerationRepository,
    private readonly requests: RequestClient,
  ) {}

  /**
   * Throws GENERATION_NOT_FOUND unless the generation is the caller's, in a workspace they may use.
   */
  async require(scope: Scope, generationId: string): Promise<void> {
    const workspace = await this.generations.findWorkspace(scope, generationId);
    if (workspace === null) throw generationNotFound();
    // Managers, admins, API keys and the instance may use every workspace.
    if (scope.principal.role !== "default") return;
    try {
      const found = await this.requests.request(
        resolveWorkspace,
        { slug: workspace.slug },
        { scope: { principal: scope.principal, workspace: null } },
      );
      if (found.scope.workspace?.id === workspace.id) return;
    } catch (error) {
      if (!(error instanceof CarrelError) || error.kind !== "WORKSPACE_NOT_FOUND") throw error;
    }
    throw generationNotFound();
  }
}

@Controller()
export class GenerationHandler {
  constructor(
    private readonly access: GenerationAccess,
    private readonly generations: GenerationRepository,
    private readonly threads: ThreadRepository,
    private readonly streams: Streams,
    private readonly runner: GenerationRunner,
    private readonly stopper: GenerationStopper,
    private readonly citations: CitationAccess,
  ) {}

  @Handle(attachGeneration)
  async attach(
    { generationId }: In<typeof attachGeneration>,
    ctx: RequestContext,
  ): Promise<Out<typeof attachGeneration>> {
    await this.access.require(ctx.scope, generationId);
    const found = await this.generations.findOwn(ctx.scope, generationId);
    if (found === null) throw generationNotFound();
    const { turnId: chatId, state, finishedAt } = found;
    const isExpired = finishedAt !== null && Date.now() - finishedAt.getTime() > streamLifeMs;
    const isUnfinished = state === "queued" || state === "running";
    if (!isExpired && (await this.isReadable(generationId, isUnfinished, ctx.signal)))
      return { chatId, state, frames: null };
    const newer = this.runner.findText(generationId) ?? {};
    const [readable] = await this.citations.mask(ctx.scope, [{ ...found, ...newer }]);
    return { chatId, state, frames: rebuildFrames({ ...readable!, generationId, chatId }) };
  }

  @Handle(cancelGeneration)
  async cancel(
    { id }: In<typeof cancelGeneration>,
    ctx: RequestContext,
  ): Promise<Out<typeof cancelGeneration>> {
    await this.access.require(ctx.scope, id);
    if (!(await this.stopper.stop(ctx.scope, id))) throw generationNotFound();
    return { success: true };
  }

  @Handle(getThreadGeneration)
  async getCurrent(
    { threadSlug }: In<typeof getThreadGeneration>,
    ctx: RequestContext,
  ): Promise<Out<typeof getThreadGeneration>> {
    const scope = inWorkspace(ctx.scope);
    const slug = threadSlug === defaultThread ? null : threadSlug;
    const threadId = await resolveThread(this.threads, scope, slug);
    const current = threadId === null ? null : await this.generations.findCurrent(scope, threadId);
    return {
      generation:
        current === null ? null : { id: current.id, chatId: current.turnId, state: current.state },
    };
  }

  /**
   * Whether the stream has every part from the first on: to its end or, while it runs, to the
   * newest.
   */
  private async isReadable(
    generationId: string,
    isUnfinished: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(isUnfinished ? 5_000 : 1_000)]);
    // An ended stream needs no bound: reading it stops at its end.
    const last = isUnfinished
      ? (await this.streams.resumeWriter(streamKey(generationId)))?.last
      : undefined;
    if (last === 0) return false;
    let parts = 0;
    try {
      const options = { after: 0, signal: timeout };
      for await (const part of this.streams.read(streamKey(generationId), options)) {
        parts = part.seq;
        if (parts === last) return true;
      }
    } catch (error) {
      if (error instanceof StreamGoneError) return false;
      throw error;
    }
    return isUnfinished ? parts > 0 : !timeout.aborted;
  }
}
