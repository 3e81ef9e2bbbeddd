import {
  allowedModelsLabel,
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
import { Controller, Inject, Module } from "@nestjs/common";
import { EventModule } from "../event/event.module.ts";
import { PreferenceModule } from "../preference/preference.module.ts";
import { PreferenceRepository } from "../preference/preference.repository.ts";
import { WorkspaceModule } from "../workspace/workspace-read.repository.ts";
import { FirstRun } from "./first-run.ts";
import { settingAliases, settingKinds } from "./setting-definition.ts";
import { mapSettingsToWire, type Switches } from "./setting-map.ts";
import { SettingStore } from "./setting-store.ts";
import { SettingRepository } from "./setting.repository.ts";

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
    @Inject(CONFIG) private readonly switches: Switches,
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
        sharingLabel,
        threadModelsLabel,
        threadTitlesLabel,
      ]),
    ]);
    // Some preferences on this wire are settings to ingest and chat: text splitting, live sync,
    // memories, sharing, prices, and models and titles of threads.
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
