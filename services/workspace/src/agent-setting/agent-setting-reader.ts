import {
  agentLabels,
  agentPreferences,
  agentSettingKeys,
  defaultMaxQuestions,
  defaultMaxToolCalls,
  getAuthSettings,
  maxMaxToolCalls,
  searchProviders,
  servicePrincipal,
  skillRuleMap,
  skills,
  type AgentSettings,
  type Scope,
  type SqlConnection,
} from "@carrel/contracts";
import { SecretBox, SecretUnreadableError } from "@carrel/database";
import { RequestClient } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { storedConfig, storedConnections } from "../preference/agent-preference.ts";
import { PreferenceRepository } from "../preference/preference.repository.ts";
import { SettingStore } from "../setting/setting-store.ts";
import type { WorkspaceConfig } from "../workspace.config.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

type Preferences = ReadonlyMap<string, unknown>;

const listOf = (preferences: Preferences, label: string): string[] => {
  const kept = preferences.get(label);
  return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
};

/** IDs of the skills that are on for the instance. */
export function listInstanceSkills(preferences: Preferences): string[] {
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
export class SecretOpener {
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
export class AgentSettingReader {
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
