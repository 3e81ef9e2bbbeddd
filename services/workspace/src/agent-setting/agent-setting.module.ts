import {
  CarrelError,
  agentLabels,
  agentPreferences,
  fillDatabasePassword,
  fillSqlPassword,
  forgetSkillRule,
  getAgentSettings,
  getOutlookSettings,
  getSkillSetup,
  getWorkspaceSkills,
  keepOutlookToken,
  revokeOutlook,
  secretMask,
  servicePrincipal,
  setWorkspaceSkills,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import {
  requireManager,
  requireOwner,
  requireService,
  requireWorkspace,
  unknownWorkspace,
} from "../access/workspace-rights.ts";
import { EventModule } from "../event/event.module.ts";
import { EventLog } from "../event/event.repository.ts";
import { ForgottenRule, KeptToken, signOut, storedConfig } from "../preference/agent-preference.ts";
import { PreferenceModule } from "../preference/preference.module.ts";
import { PreferenceRepository, PreferenceStore } from "../preference/preference.repository.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { WorkspaceChanges, WorkspaceModule } from "../workspace/workspace-read.repository.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";
import { AgentSettingReader, SecretOpener, listInstanceSkills } from "./agent-setting-reader.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

@Controller()
class AgentSettingHandler {
  constructor(
    private readonly workspaces: WorkspaceRepository,
    private readonly reader: AgentSettingReader,
    private readonly store: PreferenceStore,
  ) {}

  @Handle(getAgentSettings)
  async get(
    _input: In<typeof getAgentSettings>,
    context: RequestContext,
  ): Promise<Out<typeof getAgentSettings>> {
    const workspace = await this.workspaces.find(requireWorkspace(context.scope));
    if (workspace === null) throw unknownWorkspace();
    return this.reader.read(workspace.disabledSkills);
  }

  @Handle(forgetSkillRule)
  async forgetRule(
    { skill }: In<typeof forgetSkillRule>,
    { scope }: RequestContext,
  ): Promise<Out<typeof forgetSkillRule>> {
    requireService(scope);
    // The log names what was deleted.
    const change = new Map([[agentLabels.rules, new ForgottenRule(skill)]]);
    await this.store.update(scope, change, () => false, { isLogged: false });
    return {};
  }

  @Handle(fillDatabasePassword)
  async fill(
    server: In<typeof fillDatabasePassword>,
    { scope }: RequestContext,
  ): Promise<Out<typeof fillDatabasePassword>> {
    requireManager(scope);
    const connectionString = fillSqlPassword(server, await this.reader.listDatabases());
    if (connectionString === null) throw new CarrelError("sql.password-needed");
    return { connectionString };
  }
}

/** The skills of a workspace, which may only be fewer than the instance's. */
@Controller()
class WorkspaceSkillHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly preferences: PreferenceRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly changes: WorkspaceChanges,
    private readonly log: EventLog,
  ) {}

  @Handle(getWorkspaceSkills)
  async get(
    _input: In<typeof getWorkspaceSkills>,
    context: RequestContext,
  ): Promise<Out<typeof getWorkspaceSkills>> {
    const scope = requireWorkspace(context.scope);
    requireOwner(scope);
    const [workspace, preferences] = await Promise.all([
      this.workspaces.find(scope),
      this.preferences.list(serviceScope, agentPreferences),
    ]);
    if (workspace === null) throw unknownWorkspace();
    return {
      skills: listInstanceSkills(preferences).map((id) => ({
        id,
        isOn: !workspace.disabledSkills.includes(id),
      })),
    };
  }

  @Handle(setWorkspaceSkills)
  async set(
    input: In<typeof setWorkspaceSkills>,
    context: RequestContext,
  ): Promise<Out<typeof setWorkspaceSkills>> {
    const scope = requireWorkspace(context.scope);
    const off = [...new Set<string>(input.off)].toSorted();
    await this.dataSource.transaction(async (manager) => {
      const before = await this.workspaces.lock(scope, manager);
      if (before === null) throw unknownWorkspace();
      await this.workspaces.update(scope, manager, { disabledSkills: off });
      await this.log.record(manager, scope, "workspace_agent_skills_updated", {
        workspaceId: scope.workspace.id,
        workspaceName: before.name,
        off,
      });
      await this.changes.record(manager, scope.workspace.id);
    });
    await this.changes.announce(scope.workspace.id);
    return { success: true };
  }
}

const setupLabels = {
  gmail: agentLabels.gmail,
  "google-calendar": agentLabels.calendar,
  outlook: agentLabels.outlook,
} as const;
/** What each needs before it can be used, or signed in to. */
const neededFields = {
  gmail: ["deploymentId", "apiKey"],
  "google-calendar": ["deploymentId", "apiKey"],
  outlook: ["clientId", "tenantId", "clientSecret"],
} as const;

/** Skills that sign in elsewhere. */
@Controller()
class SkillSetupHandler {
  constructor(
    private readonly preferences: PreferenceRepository,
    private readonly store: PreferenceStore,
  ) {}

  @Handle(getSkillSetup)
  async get(
    { skill }: In<typeof getSkillSetup>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getSkillSetup>> {
    const kept = await this.preferences.find(scope, setupLabels[skill]);
    const { values, sealed } = storedConfig.parse(kept ?? {});
    const { refreshToken, ...secrets } = sealed;
    const config = {
      ...values,
      ...Object.fromEntries(Object.keys(secrets).map((name) => [name, secretMask])),
    };
    const isConfigured = neededFields[skill].every((name) => name in config);
    return {
      success: true,
      error: null,
      isConfigured,
      isAuthenticated: isConfigured && (skill !== "outlook" || refreshToken !== undefined),
      config,
    };
  }

  @Handle(revokeOutlook)
  async revoke(
    _input: In<typeof revokeOutlook>,
    { scope }: RequestContext,
  ): Promise<Out<typeof revokeOutlook>> {
    await this.store.update(scope, new Map([[agentLabels.outlook, signOut]]), () => false);
    return { success: true, error: null };
  }
}

/** For the chat service, which signs in to Outlook and uses the account. */
@Controller()
class OutlookHandler {
  constructor(
    private readonly reader: AgentSettingReader,
    private readonly store: PreferenceStore,
  ) {}

  @Handle(getOutlookSettings)
  async get(
    _input: In<typeof getOutlookSettings>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getOutlookSettings>> {
    requireService(scope);
    return { outlook: await this.reader.readOutlook() };
  }

  @Handle(keepOutlookToken)
  async keep(
    { clientId, refreshToken, replaces }: In<typeof keepOutlookToken>,
    { scope }: RequestContext,
  ): Promise<Out<typeof keepOutlookToken>> {
    requireService(scope);
    const token = new KeptToken(clientId, refreshToken, replaces);
    await this.store.update(scope, new Map([[agentLabels.outlook, token]]), () => false, {
      // Microsoft replaces tokens with each use.
      isLogged: replaces === null,
    });
    return {};
  }
}

@Module({
  imports: [EventModule, PreferenceModule, SettingModule, WorkspaceModule],
  controllers: [AgentSettingHandler, OutlookHandler, SkillSetupHandler, WorkspaceSkillHandler],
  providers: [AgentSettingReader, SecretOpener],
})
export class AgentSettingModule {}
