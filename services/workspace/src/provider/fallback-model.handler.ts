import {
  CarrelError,
  fallbackModels,
  fallbackModelsLabel,
  getInstanceFallbacks,
  getWorkspaceFallbacks,
  isModelAllowed,
  servicePrincipal,
  setInstanceFallbacks,
  setWorkspaceFallbacks,
  type FallbackModels,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { requireOwner, requireWorkspace, unknownWorkspace } from "../access/workspace-rights.ts";
import { AllowedModelReader } from "../preference/preference.module.ts";
import { PreferenceRepository, PreferenceStore } from "../preference/preference.repository.ts";
import { findProvider } from "../setting/setting-definition.ts";
import { WorkspaceChanges } from "../workspace/workspace-read.repository.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";
import { limitProviders } from "./limit-providers.ts";
import { ReadyProviders } from "./ready-providers.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

/** Models that answer when the chosen one can't, of the instance and of workspaces. */
@Controller()
export class FallbackModelHandler {
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
   * Models that are set may be kept, but managers add only those that an admin allows, and members
   * only if an admin lets them choose models at all.
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
