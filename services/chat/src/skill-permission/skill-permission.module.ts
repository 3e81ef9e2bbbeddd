import {
  addSkillPermission,
  checkSkillAvailable,
  getAgentModel,
  getSkillReach,
  isAgentCommandAvailable,
  listSkillPermissions,
  removeSkillPermission,
  type In,
  type Out,
  type WorkspaceWire,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Controller, Inject, Injectable, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { ChatConfig } from "../chat.config.ts";
import { EventLog, EventLogModule } from "../event-log/event-log.module.ts";
import { LanguageModels } from "../model/language-models.ts";
import { ModelModule } from "../model/model.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { SkillPermissionRepository } from "./skill-permission.repository.ts";

@Controller()
class SkillPermissionHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly permissions: SkillPermissionRepository,
    private readonly log: EventLog,
  ) {}

  @Handle(addSkillPermission)
  async add(
    { skillName }: In<typeof addSkillPermission>,
    { scope }: RequestContext,
  ): Promise<Out<typeof addSkillPermission>> {
    await this.dataSource.transaction(async (manager) => {
      if (await this.permissions.add(scope, manager, skillName))
        await this.log.record(manager, scope, "agent_tool_allowed", { tool: skillName });
    });
    return { success: true, error: null };
  }

  @Handle(listSkillPermissions)
  async list(
    _input: In<typeof listSkillPermissions>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listSkillPermissions>> {
    const permissions = await this.permissions.list(scope);
    return {
      permissions: permissions.map(({ skill, createdAt }) => ({
        skillName: skill,
        createdAt: createdAt.toISOString(),
      })),
    };
  }

  @Handle(removeSkillPermission)
  async remove(
    { skillName }: In<typeof removeSkillPermission>,
    { scope }: RequestContext,
  ): Promise<Out<typeof removeSkillPermission>> {
    await this.dataSource.transaction(async (manager) => {
      if (await this.permissions.remove(scope, manager, skillName))
        await this.log.record(manager, scope, "agent_tool_asks_again", { tool: skillName });
    });
    return { success: true, error: null };
  }
}

/** Timeout for asking a model's server what it can do. */
const timeoutMs = 2_000;

type ChosenModel = Pick<WorkspaceWire, "chatProvider" | "chatModel">;

/** The workspace with the model of its agents: its own, else the one that chats. */
const withAgentModel = ({ agentProvider, agentModel, ...workspace }: WorkspaceWire): ChosenModel =>
  agentProvider === null
    ? workspace
    : { ...workspace, chatProvider: agentProvider, chatModel: agentModel };

/** Says which models call tools natively. */
@Injectable()
class ToolCalling {
  constructor(
    private readonly settings: SettingsCache,
    private readonly models: LanguageModels,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** null: unknown, or there is no model. Never throws. */
  async check(workspace: ChosenModel): Promise<boolean | null> {
    try {
      const { model } = this.models.choose(workspace, await this.settings.getInstance());
      return (await model?.supportsTools(AbortSignal.timeout(timeoutMs))) ?? null;
    } catch (error) {
      this.logger.debug({ err: error }, "couldn't ask whether the model calls tools");
      return null;
    }
  }
}

@Controller()
class SkillReachHandler {
  constructor(
    private readonly settings: SettingsCache,
    private readonly toolCalling: ToolCalling,
    @Inject(CONFIG) private readonly config: ChatConfig,
  ) {}

  @Handle(checkSkillAvailable)
  available({ skill }: In<typeof checkSkillAvailable>): Promise<Out<typeof checkSkillAvailable>> {
    const available =
      skill === "create-files-agent" ||
      (skill === "filesystem-agent" && this.config.CARREL_AGENT_FOLDERS.length > 0);
    return Promise.resolve({ available });
  }

  @Handle(getSkillReach)
  async reach(): Promise<Out<typeof getSkillReach>> {
    return {
      folders: this.config.CARREL_AGENT_FOLDERS.map(({ path }) => path),
      callsTools: await this.toolCalling.check({ chatProvider: null, chatModel: null }),
    };
  }

  @Handle(isAgentCommandAvailable)
  async command(
    _input: In<typeof isAgentCommandAvailable>,
    context: RequestContext,
  ): Promise<Out<typeof isAgentCommandAvailable>> {
    const workspace = await this.settings.getWorkspace(inWorkspace(context.scope));
    const isAutomatic =
      workspace.chatMode === "automatic" &&
      (await this.toolCalling.check(withAgentModel(workspace))) === true;
    return { showAgentCommand: !isAutomatic };
  }

  @Handle(getAgentModel)
  async model(
    _input: In<typeof getAgentModel>,
    context: RequestContext,
  ): Promise<Out<typeof getAgentModel>> {
    const workspace = await this.settings.getWorkspace(inWorkspace(context.scope));
    return { callsTools: await this.toolCalling.check(withAgentModel(workspace)) };
  }
}

@Module({
  imports: [EventLogModule, ModelModule, SettingModule],
  controllers: [SkillPermissionHandler, SkillReachHandler],
  providers: [SkillPermissionRepository, ToolCalling],
  exports: [SkillPermissionRepository],
})
export class SkillPermissionModule {}
