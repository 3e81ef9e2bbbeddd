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
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Inject, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { ChatConfig } from "../chat.config.ts";
import { EventLog, EventLogModule } from "../event-log/event-log.module.ts";
import { ModelModule } from "../model/model.module.ts";
import { ToolCalling, withAgentModel } from "../model/tool-calling.ts";
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
    const chosen = withAgentModel(workspace, null);
    return { showAgentCommand: !(await this.toolCalling.startsAgents(workspace, chosen)) };
  }

  @Handle(getAgentModel)
  async model(
    _input: In<typeof getAgentModel>,
    context: RequestContext,
  ): Promise<Out<typeof getAgentModel>> {
    const workspace = await this.settings.getWorkspace(inWorkspace(context.scope));
    return { callsTools: await this.toolCalling.check(withAgentModel(workspace, null)) };
  }
}

@Module({
  imports: [EventLogModule, ModelModule, SettingModule],
  controllers: [SkillPermissionHandler, SkillReachHandler],
  providers: [SkillPermissionRepository],
  exports: [SkillPermissionRepository],
})
export class SkillPermissionModule {}
