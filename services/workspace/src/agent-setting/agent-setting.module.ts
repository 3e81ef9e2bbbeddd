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
  agentSettingKeys,
  defaultMaxQuestions,
  defaultMaxToolCalls,
  getAuthSettings,
  maxMaxToolCalls,
  searchProviders,
  skillRuleMap,
  skills,
  type AgentSettings,
  type SqlConnection,
} from "@carrel/contracts";
import { SecretBox, SecretUnreadableError } from "@carrel/database";
import { Handle, type RequestContext, RequestClient } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Controller, Module, Inject, Injectable } from "@nestjs/common";
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
import {
  ForgottenRule,
  KeptToken,
  signOut,
  storedConfig,
  storedConnections,
} from "../preference/agent-preference.ts";
import { PreferenceModule } from "../preference/preference.module.ts";
import { PreferenceRepository, PreferenceStore } from "../preference/preference.repository.ts";
import { SettingStore } from "../setting/setting-store.ts";
import { SettingModule } from "../setting/setting.module.ts";
import type { WorkspaceConfig } from "../workspace.config.ts";
import { WorkspaceChanges, WorkspaceModule } from "../workspace/workspace-read.repository.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

type Preferences = ReadonlyMap<string, unknown>;

const listOf = (preferences: Preferences, label: string): string[] => {
  const kept = preferences.get(label);
  return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
};

/** IDs of the skills that are on for the instance. */
function listInstanceSkills(preferences: Preferences): string[] {
  const on = listOf(preferences, agentLabels.switchedOn);
  const off = listOf(preferences, agentLabels.switchedOff);
  return skills
    .filter(({ id, isDefault }) => {
      if (id === "request-user-input") return preferences.get(agentLabels.asks) === true;
      return isDefault ? !off.includes(id) : on.includes(id);
    })
    .map(({ id }) => id);
}

/** Opens what is sealed in preferences; what can't be read has to be entered again. */
@Injectable()
class SecretOpener {
  constructor(
    private readonly box: SecretBox,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  open(sealed: string | undefined): string | null {
    if (sealed === undefined) return null;
    try {
      return this.box.open(sealed);
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      this.logger.warn({ err: error }, "couldn't read a secret of an agent's skill");
      return null;
    }
  }
}

/** Brings preferences and settings of the instance together. */
@Injectable()
class AgentSettingReader {
  constructor(
    private readonly preferences: PreferenceRepository,
    private readonly settings: SettingStore,
    private readonly secrets: SecretOpener,
    private readonly requests: RequestClient,
    @Inject(CONFIG) private readonly config: WorkspaceConfig,
  ) {}

  /** @param off IDs of skills that are off in the workspace */
  async read(off: readonly string[]): Promise<AgentSettings> {
    const [preferences, settings, { MultiUserMode }] = await Promise.all([
      this.preferences.list(serviceScope, agentPreferences),
      this.settings.read(serviceScope),
      this.requests.request(getAuthSettings, {}, { scope: serviceScope }),
    ]);
    const on = listInstanceSkills(preferences).filter((id) => !off.includes(id));
    return {
      skills: on,
      disabledTools: skills.flatMap((skill) =>
        // Also of skills that are off: a session may switch one on.
        "disabledTools" in skill ? listOf(preferences, skill.disabledTools) : [],
      ),
      rules: skillRuleMap.catch({}).parse(preferences.get(agentLabels.rules) ?? {}),
      maxToolCalls: this.readMaxToolCalls(settings.values.get(agentSettingKeys.maxToolCalls)),
      maxQuestions: on.includes("request-user-input")
        ? Number(preferences.get(agentLabels.maxQuestions) ?? defaultMaxQuestions)
        : 0,
      search: {
        provider: (preferences.get(agentLabels.searchProvider) as string | undefined) ?? null,
        values: Object.fromEntries(
          searchProviders
            .flatMap(({ fields }) => fields)
            .flatMap(({ key }) => {
              const value =
                settings.values.get(key) ?? this.secrets.open(settings.secrets.get(key));
              return value === null ? [] : [[key, value]];
            }),
        ),
      },
      sqlConnections: this.openDatabases(preferences),
      // These act for one person, so they need an instance of one person (wire-contract 5.7).
      ...(MultiUserMode
        ? { gmail: null, calendar: null, outlook: null }
        : this.readOwn(preferences)),
    };
  }

  async readOutlook(): Promise<AgentSettings["outlook"]> {
    const [preferences, { MultiUserMode }] = await Promise.all([
      this.preferences.list(serviceScope, [agentLabels.outlook]),
      this.requests.request(getAuthSettings, {}, { scope: serviceScope }),
    ]);
    return MultiUserMode ? null : this.readOwn(preferences).outlook;
  }

  async listDatabases(): Promise<SqlConnection[]> {
    return this.openDatabases(
      await this.preferences.list(serviceScope, [agentLabels.sqlConnections]),
    );
  }

  private openDatabases(preferences: Preferences): SqlConnection[] {
    return storedConnections
      .parse(preferences.get(agentLabels.sqlConnections) ?? [])
      .flatMap(({ name, engine, schema, sealed }) => {
        const connectionString = this.secrets.open(sealed);
        return connectionString === null ? [] : [{ name, engine, connectionString, schema }];
      });
  }

  private readMaxToolCalls(setting: string | undefined): number {
    const number = Number(setting ?? this.config.AGENT_MAX_TOOL_CALLS ?? defaultMaxToolCalls);
    return Math.min(maxMaxToolCalls, Math.max(1, Math.trunc(number) || defaultMaxToolCalls));
  }

  private readOwn(preferences: Preferences): Pick<AgentSettings, "gmail" | "calendar" | "outlook"> {
    const open = (label: string): Record<string, string | null> => {
      const { values, sealed } = storedConfig.parse(preferences.get(label) ?? {});
      const opened = Object.entries(sealed).map(([name, each]) => [name, this.secrets.open(each)]);
      return { ...values, ...Object.fromEntries(opened) };
    };
    const appsScript = (label: string): AgentSettings["gmail"] => {
      const { deploymentId, apiKey } = open(label);
      return deploymentId && apiKey ? { deploymentId, apiKey } : null;
    };
    const { clientId, tenantId, clientSecret, refreshToken } = open(agentLabels.outlook);
    return {
      gmail: appsScript(agentLabels.gmail),
      calendar: appsScript(agentLabels.calendar),
      outlook:
        clientId && tenantId && clientSecret
          ? { clientId, tenantId, clientSecret, refreshToken: refreshToken ?? null }
          : null,
    };
  }
}

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
