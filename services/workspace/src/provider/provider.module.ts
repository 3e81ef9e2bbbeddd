import {
  CarrelError,
  fallbackModels,
  fallbackModelsLabel,
  getInstanceFallbacks,
  getModelOverrides,
  getWorkspaceFallbacks,
  isModelAllowed,
  modelOverrides,
  modelOverridesLabel,
  servicePrincipal,
  setInstanceFallbacks,
  setModelOverrides,
  setWorkspaceFallbacks,
  setWorkspaceParameters,
  testProvider,
  type FallbackModels,
  type In,
  type KnownFault,
  type Out,
  type ProviderField,
  type Scope,
} from "@carrel/contracts";
import { Handle, Throttle, type RequestContext } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { ProviderError, testConnection } from "@carrel/providers";
import { LOGGER } from "@carrel/runtime";
import { Controller, Inject, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { requireOwner, requireWorkspace, unknownWorkspace } from "../access/workspace-rights.ts";
import { AllowedModelReader, PreferenceModule } from "../preference/preference.module.ts";
import { PreferenceRepository, PreferenceStore } from "../preference/preference.repository.ts";
import { allProviders, findProvider, validateSetting } from "../setting/setting-definition.ts";
import { SettingStore } from "../setting/setting-store.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { WorkspaceChanges, WorkspaceModule } from "../workspace/workspace-read.repository.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";
import { ProviderHandler } from "./provider.handler.ts";
import { ReadyProviders, isMasked, limitProviders, overlaySettings } from "./ready-providers.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

/** Models that answer when the chosen one can't, of the instance and of workspaces. */
@Controller()
class FallbackModelHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly preferences: PreferenceRepository,
    private readonly store: PreferenceStore,
    private readonly workspaces: WorkspaceRepository,
    private readonly changes: WorkspaceChanges,
    private readonly ready: ReadyProviders,
    private readonly allowed: AllowedModelReader,
  ) {}

  @Handle(getInstanceFallbacks)
  async getInstance(): Promise<Out<typeof getInstanceFallbacks>> {
    const [models, { providers }] = await Promise.all([this.readInstance(), this.ready.list()]);
    return { models, providers };
  }

  @Handle(setInstanceFallbacks)
  async setInstance(
    { models }: In<typeof setInstanceFallbacks>,
    { scope }: RequestContext,
  ): Promise<Out<typeof setInstanceFallbacks>> {
    requireKnownProviders(models);
    const value = models.length === 0 ? null : models;
    await this.store.update(scope, new Map([[fallbackModelsLabel, value]]), () => false);
    return { success: true };
  }

  @Handle(getWorkspaceFallbacks)
  async get(
    _input: In<typeof getWorkspaceFallbacks>,
    context: RequestContext,
  ): Promise<Out<typeof getWorkspaceFallbacks>> {
    const scope = requireWorkspace(context.scope);
    requireOwner(scope);
    const [workspace, instance, { providers }, allowed] = await Promise.all([
      this.workspaces.find(scope),
      this.readInstance(),
      this.ready.list(),
      this.allowed.read(),
    ]);
    if (workspace === null) throw unknownWorkspace();
    return {
      models: workspace.fallbackModels,
      instance,
      providers: limitProviders(providers, allowed),
    };
  }

  @Handle(setWorkspaceFallbacks)
  async set(
    { models }: In<typeof setWorkspaceFallbacks>,
    context: RequestContext,
  ): Promise<Out<typeof setWorkspaceFallbacks>> {
    const scope = requireWorkspace(context.scope);
    requireKnownProviders(models ?? []);
    await this.dataSource.transaction(async (manager) => {
      const before = await this.workspaces.lock(scope, manager);
      if (before === null) throw unknownWorkspace();
      if (scope.principal.role !== "admin")
        await this.requireAllowed(scope, models ?? [], before.fallbackModels ?? []);
      await this.workspaces.update(scope, manager, { fallbackModels: models });
      await this.changes.record(manager, scope.workspace.id);
    });
    await this.changes.announce(scope.workspace.id);
    return { success: true };
  }

  /** Reads as Carrel itself, because only admins see preferences. */
  private async readInstance(): Promise<FallbackModels> {
    const kept = await this.preferences.find(serviceScope, fallbackModelsLabel);
    return fallbackModels.parse(kept ?? []);
  }

  /**
   * Models that are already set may be kept, but managers add only models that an admin allows, and
   * members only if an admin has allowed them to choose models at all.
   */
  private async requireAllowed(
    { principal: { role } }: Scope,
    models: FallbackModels,
    before: FallbackModels,
  ): Promise<void> {
    const allowed = await this.allowed.read();
    const isKept = (each: FallbackModels[number]): boolean =>
      before.some(({ provider, model }) => provider === each.provider && model === each.model);
    const isAdded = models.some((each) => !isKept(each));
    if (isAdded && role === "default" && !(await this.allowed.mayMembersChoose()))
      throw new CarrelError("access.models-by-managers");
    const refused = models.find((each) => !isKept(each) && !isModelAllowed(allowed, each));
    if (refused !== undefined)
      throw new CarrelError("provider.model-not-allowed", {
        model: refused.model ?? refused.provider,
      });
  }
}

function requireKnownProviders(models: FallbackModels): void {
  const unknown = models.find(({ provider }) => findProvider("language", provider) === undefined);
  if (unknown !== undefined)
    throw new CarrelError("setting.language-provider-unknown", { provider: unknown.provider });
}

const second = 1_000;
/** One person's tests in a row, and the time to earn one more: vendors charge for each. */
const tests = { capacity: 20, refillMs: 3 * second };

@Controller()
class ProviderTestHandler {
  constructor(
    private readonly settings: SettingStore,
    private readonly throttle: Throttle,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** A failed test is an answer, not an error. */
  @Handle(testProvider)
  async test(
    input: In<typeof testProvider>,
    { scope }: RequestContext,
  ): Promise<Out<typeof testProvider>> {
    await this.countTest(scope);
    const provider = findProvider(input.kind, input.provider);
    const fields = provider?.fields ?? [];
    const invalid = findInvalid(fields, input.settings);
    if (invalid !== null) return { result: null, fault: invalid };
    const stored = await this.settings.readOpened(scope);
    const settings = provider ? overlaySettings(provider, stored, input.settings) : {};
    try {
      return { result: await testConnection(input.kind, input.provider, settings), fault: null };
    } catch (error) {
      if (error instanceof ProviderError) {
        const isWithheld = fields.some(({ key }) => stored.has(key) && settings[key] === undefined);
        return { result: null, fault: isWithheld ? withheldKey(error) : error.fault };
      }
      this.logger.warn({ err: error, provider: input.provider }, "couldn't test a provider");
      return { result: null, fault: { code: "request.failed" } };
    }
  }

  /** While Redis is down, tests aren't limited. */
  private async countTest({ principal }: Scope): Promise<void> {
    const key = `provider-test:${principal.userId ?? principal.kind}`;
    const wait = await this.throttle.take([{ key, ...tests }]).catch(() => 0);
    if (wait === 0) return;
    const seconds = Math.ceil(wait / second);
    throw new CarrelError(
      "access.too-many-attempts",
      { seconds, wait: seconds === 1 ? "a second" : `${seconds} seconds` },
      { retryAfter: seconds },
    );
  }
}

/** The stored key isn't sent to a new address, so a refusal there says nothing about it. */
const withheldKey = ({ kind, fault }: ProviderError): KnownFault =>
  kind === "authentication" || fault.code === "provider.test-without-key"
    ? { code: "provider.key-for-other-address" }
    : fault;

/** The first fault for which saving these values would be refused. */
function findInvalid(
  fields: readonly ProviderField[],
  settings: Record<string, string>,
): KnownFault | null {
  for (const { key } of fields) {
    const value = settings[key] ?? "";
    const fault = value.trim() === "" || isMasked(value) ? null : validateSetting(key, value);
    if (fault !== null) return fault;
  }
  return null;
}

const isKnown = (provider: string): boolean =>
  allProviders.some(({ id, kind }) => id === provider && kind !== "vector");

/** Admin overrides for models. */
@Controller()
class ModelOverrideHandler {
  constructor(
    private readonly preferences: PreferenceRepository,
    private readonly store: PreferenceStore,
  ) {}

  @Handle(getModelOverrides)
  async list(
    _input: In<typeof getModelOverrides>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getModelOverrides>> {
    const kept = await this.preferences.find(scope, modelOverridesLabel);
    return { overrides: modelOverrides.parse(kept ?? []) };
  }

  @Handle(setModelOverrides)
  async set(
    { overrides }: In<typeof setModelOverrides>,
    { scope }: RequestContext,
  ): Promise<Out<typeof setModelOverrides>> {
    const unknown = overrides.find(({ provider }) => !isKnown(provider));
    if (unknown !== undefined)
      throw new CarrelError("setting.language-provider-unknown", { provider: unknown.provider });
    const value = overrides.length === 0 ? null : overrides;
    await this.store.update(scope, new Map([[modelOverridesLabel, value]]), () => false);
    return { success: true };
  }
}

/** How a workspace's model answers. */
@Controller()
class AnswerParameterHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly workspaces: WorkspaceRepository,
    private readonly changes: WorkspaceChanges,
  ) {}

  @Handle(setWorkspaceParameters)
  async set(
    { parameters }: In<typeof setWorkspaceParameters>,
    context: RequestContext,
  ): Promise<Out<typeof setWorkspaceParameters>> {
    const scope = requireWorkspace(context.scope);
    await this.dataSource.transaction(async (manager) => {
      if ((await this.workspaces.lock(scope, manager)) === null) throw unknownWorkspace();
      await this.workspaces.update(scope, manager, { answerParameters: parameters });
      await this.changes.record(manager, scope.workspace.id);
    });
    await this.changes.announce(scope.workspace.id);
    return { success: true };
  }
}

@Module({
  imports: [PreferenceModule, SettingModule, WorkspaceModule],
  controllers: [
    AnswerParameterHandler,
    FallbackModelHandler,
    ModelOverrideHandler,
    ProviderHandler,
    ProviderTestHandler,
  ],
  providers: [ReadyProviders],
})
export class ProviderModule {}
