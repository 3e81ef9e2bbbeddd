import {
  agentLabels,
  allowedModelsLabel,
  defaultMaxQuestions,
  defaultSharing,
  fallbackModelsLabel,
  getSettings,
  ingestLabels,
  memberRightLabels,
  memoryLabels,
  modelOverridesLabel,
  resolveSettings,
  restoreSettings,
  servicePrincipal,
  scheduleLabels,
  sharingLabel,
  threadModelsLabel,
  threadTitlesLabel,
  updateSettings,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Inject, Injectable, Module } from "@nestjs/common";
import { EventModule } from "../event/event.module.ts";
import { ownLabels } from "../preference/preference-definition.ts";
import { PreferenceModule } from "../preference/preference.module.ts";
import { PreferenceRepository } from "../preference/preference.repository.ts";
import { WorkspaceModule } from "../workspace/workspace-read.repository.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";
import {
  mapSettingsToWire,
  settingAliases,
  settingKinds,
  type EffectiveSettings,
  type EnvironmentSwitches,
} from "./setting-definition.ts";
import { SettingRepository, SettingStore } from "./setting-store.ts";

/** Tells a new instance from one that is in use, with or without the first-run wizard. */
@Injectable()
export class FirstRun {
  constructor(
    private readonly preferences: PreferenceRepository,
    private readonly workspaces: WorkspaceRepository,
  ) {}

  /**
   * Whether nobody has finished the wizard, chosen a language model or a vector store, or created
   * a workspace. A password or accounts, which auth knows, end the first run as well.
   */
  async isPending({ values }: Pick<EffectiveSettings, "values">): Promise<boolean> {
    if (values.has("LLMProvider") || values.has("VectorDB")) return false;
    const [completed, isUsed] = await Promise.all([
      this.preferences.find(serviceScope, ownLabels.onboarding),
      this.workspaces.hasAny(serviceScope),
    ]);
    return completed !== true && !isUsed;
  }
}

/**
 * For `internal` operations, which Carrel calls on anyone's behalf; their results are never shown
 * unchanged.
 */
const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

@Controller()
class SettingHandler {
  constructor(
    private readonly settings: SettingStore,
    private readonly preferences: PreferenceRepository,
    private readonly firstRun: FirstRun,
    @Inject(CONFIG) private readonly switches: EnvironmentSwitches,
  ) {}

  @Handle(resolveSettings)
  async resolve(): Promise<Out<typeof resolveSettings>> {
    const [{ values, secrets, version }, kept] = await Promise.all([
      this.settings.read(serviceScope),
      this.preferences.list(serviceScope, [
        ...ingestLabels,
        ...memoryLabels,
        modelOverridesLabel,
        allowedModelsLabel,
        fallbackModelsLabel,
        ...scheduleLabels,
        sharingLabel,
        threadModelsLabel,
        threadTitlesLabel,
      ]),
    ]);
    // Some preferences on this wire are settings to ingest and chat: text splitting, live sync,
    // memories, schedules, sharing, prices, and models and titles of threads.
    return {
      values: {
        ...Object.fromEntries(values),
        ...Object.fromEntries(
          [...kept].map(([label, value]) => [
            label,
            typeof value === "object" ? JSON.stringify(value) : String(value),
          ]),
        ),
      },
      secrets: Object.fromEntries(secrets),
      version,
    };
  }

  @Handle(getSettings)
  async get(): Promise<Out<typeof getSettings>> {
    const [settings, kept] = await Promise.all([
      this.settings.read(serviceScope),
      this.preferences.list(serviceScope, [
        ...memoryLabels,
        ...Object.values(memberRightLabels),
        sharingLabel,
        threadModelsLabel,
        threadTitlesLabel,
        agentLabels.asks,
        agentLabels.maxQuestions,
      ]),
    ]);
    // Memories are off by default; once enabled, so is automatic extraction by a model.
    return {
      settings: {
        ...mapSettingsToWire(settings, this.switches),
        MemoryEnabled: kept.get("memory_enabled") === true,
        MemoryAutoExtraction: kept.get("memory_auto_extraction") !== false,
        ThreadSharing: kept.get(sharingLabel) ?? defaultSharing,
        MembersCreateWorkspaces: kept.get(memberRightLabels.createWorkspaces) === true,
        MembersUploadDocuments: kept.get(memberRightLabels.uploadDocuments) === true,
        ThreadModelsByEveryone: kept.get(threadModelsLabel) === true,
        ThreadTitlesByModel: kept.get(threadTitlesLabel) === true,
        AgentClarifyingQuestionsEnabled: kept.get(agentLabels.asks) === true,
        AgentClarifyingQuestionsMaxPerTurn:
          kept.get(agentLabels.maxQuestions) ?? defaultMaxQuestions,
      },
      isNew: await this.firstRun.isPending(settings),
    };
  }

  @Handle(restoreSettings)
  async restore(
    input: In<typeof restoreSettings>,
    context: RequestContext,
  ): Promise<Out<typeof restoreSettings>> {
    return {
      locked: await this.settings.restore(
        context.scope,
        new Map(Object.entries(input.values)),
        new Map(Object.entries(input.secrets)),
      ),
    };
  }

  @Handle(updateSettings)
  async update(
    input: In<typeof updateSettings>,
    context: RequestContext,
  ): Promise<Out<typeof updateSettings>> {
    const plan = await this.settings.update(context.scope, input.values);
    // Secrets are never sent back, only whether they are set.
    const newValues = plan.accepted.map((sent) => {
      const key = settingAliases.get(sent) ?? sent;
      const isSecret = settingKinds.get(key) === "secret";
      return [
        sent,
        isSecret ? (plan.changes.get(key) ?? null) !== null : input.values[sent],
      ] as const;
    });
    return { newValues: Object.fromEntries(newValues), fault: plan.fault };
  }
}

@Module({
  imports: [EventModule, PreferenceModule, WorkspaceModule],
  controllers: [SettingHandler],
  providers: [FirstRun, SettingStore, SettingRepository],
  exports: [FirstRun, SettingStore],
})
export class SettingModule {}
