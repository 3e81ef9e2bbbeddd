import { isDeepStrictEqual } from "node:util";
import {
  CarrelError,
  agentPreferences,
  allowedModelsLabel,
  brandingChanged,
  defaultPromptLabel,
  fallbackModelsLabel,
  ingestLabels,
  memberRightLabels,
  memberRights,
  memoryLabels,
  modelOverridesLabel,
  servicePrincipal,
  settingsChanged,
  scheduleLabels,
  sharingLabel,
  threadModelsLabel,
  threadTitlesLabel,
  type MemberRight,
  type Scope,
} from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { Broadcast, Outbox, eventMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, In, type EntityManager } from "typeorm";
import { managesAll, requireService } from "../access/workspace-rights.ts";
import { EventLog } from "../event/event.repository.ts";
import { ownLabels, preferenceDefinitions } from "./preference-definition.ts";
import { Preference } from "./preference.entity.ts";

const managersOwn: ReadonlySet<string> = new Set([
  ownLabels.logo,
  ownLabels.lightLogo,
  ownLabels.welcomeMessages,
]);

/**
 * Managers may set their five labels, the logo and the welcome messages; anyone signed in may
 * complete onboarding; admins and API keys may set the rest.
 */
export function mayWrite({ principal }: Scope, label: string): boolean {
  if (label === ownLabels.onboarding) return principal.kind !== "public";
  if (!managesAll({ principal, workspace: null })) return false;
  return (
    principal.role === "admin" ||
    principal.kind === "key" ||
    managersOwn.has(label) ||
    preferenceDefinitions.get(label)?.by === "manager"
  );
}

@Injectable()
export class PreferenceRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The stored value of a label; undefined if unset. Reading needs no permission, because the
   * label's operation decides who sees it.
   */
  async find(
    _scope: Scope,
    label: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<unknown> {
    return (await manager.findOneBy(Preference, { label }))?.value;
  }

  async list(
    _scope: Scope,
    labels: readonly string[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Map<string, unknown>> {
    const rows =
      labels.length === 0 ? [] : await manager.findBy(Preference, { label: In([...labels]) });
    return new Map(rows.map((row) => [row.label, row.value]));
  }

  /**
   * Takes the daily telemetry report, which only one replica may send: its id, drawn with the first
   * one; null if it isn't due.
   */
  async claimTelemetry(scope: Scope, id: string): Promise<string | null> {
    requireService(scope);
    const rows = await this.dataSource.query<{ id: string }[]>(
      `INSERT INTO workspace.preference (label, value)
      VALUES ($1, jsonb_build_object('id', $2::text))
      ON CONFLICT (label) DO UPDATE SET updated_at = now()
      WHERE preference.updated_at < now() - interval '24 hours'
      RETURNING value->>'id' AS id`,
      [ownLabels.telemetry, id],
    );
    return rows[0]?.id ?? null;
  }

  /**
   * Locks the table until the transaction ends, so that a concurrent writer sees this one's
   * changes.
   */
  async lock(_scope: Scope, manager: EntityManager): Promise<void> {
    await manager.query(`LOCK TABLE workspace.preference IN SHARE ROW EXCLUSIVE MODE`);
  }

  /** null or undefined deletes the preference. */
  async save(scope: Scope, manager: EntityManager, label: string, value: unknown): Promise<void> {
    if (!mayWrite(scope, label)) throw new CarrelError("access.forbidden");
    if (value === null || value === undefined) await manager.delete(Preference, { label });
    else
      await manager.query(
        `INSERT INTO workspace.preference (label, value)
        VALUES ($1, $2)
        ON CONFLICT (label) DO UPDATE SET value = EXCLUDED.value, updated_at = now()`,
        [label, JSON.stringify(value)],
      );
  }
}

/**
 * Preferences that others cache with their settings: chat the default prompt, agents, memories,
 * schedules, sharing, prices, models and titles of threads, ingest text splitting and live sync, the gateway and the
 * app what members may do.
 */
const keptElsewhere: ReadonlySet<string> = new Set([
  ...agentPreferences,
  defaultPromptLabel,
  fallbackModelsLabel,
  ...ingestLabels,
  ...Object.values(memberRightLabels),
  ...memoryLabels,
  modelOverridesLabel,
  ...scheduleLabels,
  sharingLabel,
  allowedModelsLabel,
  threadModelsLabel,
  threadTitlesLabel,
]);

/**
 * Updates preferences, records which labels changed (never their values) and notifies pages or
 * services that cache them.
 */
@Injectable()
export class PreferenceStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly preferences: PreferenceRepository,
    private readonly log: EventLog,
    private readonly outbox: Outbox,
    private readonly broadcast: Broadcast,
    private readonly box: SecretBox,
  ) {}

  /**
   * Sets all values or none, and returns the previous ones. `isBranding` says which labels pages
   * cache; what Carrel changes by itself needn't be logged.
   */
  async update(
    scope: Scope,
    values: ReadonlyMap<string, unknown>,
    isBranding: (label: string) => boolean,
    { isLogged = true } = {},
  ): Promise<Map<string, unknown>> {
    const { before, isShown, told } = await this.dataSource.transaction(async (manager) => {
      await this.preferences.lock(scope, manager);
      const kept = await this.preferences.list(scope, [...values.keys()], manager);
      const changed = [...values]
        .map(([label, value]) => {
          const merge = preferenceDefinitions.get(label)?.merge;
          return [label, merge ? merge(kept.get(label), value, this.box) : value] as const;
        })
        .filter(([label, value]) => !isDeepStrictEqual(kept.get(label) ?? null, value ?? null));
      for (const [label, value] of changed)
        await this.preferences.save(scope, manager, label, value);
      const keys = changed.map(([label]) => label);
      if (isLogged && keys.length > 0)
        await this.log.record(manager, scope, "setting_changed", { keys });
      const shown = keys.some(isBranding);
      if (shown) await this.outbox.add(manager, eventMessage(brandingChanged, {}));
      const elsewhere = keys.filter((label) => keptElsewhere.has(label));
      if (elsewhere.length > 0)
        await this.outbox.add(manager, eventMessage(settingsChanged, { keys: elsewhere }));
      return { before: kept, isShown: shown, told: elsewhere };
    });
    if (told.length > 0) await this.broadcast.invalidate(settingsChanged, { keys: told });
    if (isShown) await this.broadcast.publishEvent(brandingChanged, {});
    return before;
  }
}

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

/** What admins allow members; reads as Carrel itself, because only admins see preferences. */
@Injectable()
export class MemberRightReader {
  constructor(private readonly preferences: PreferenceRepository) {}

  async read(): Promise<MemberRight[]> {
    const kept = await this.preferences.list(serviceScope, Object.values(memberRightLabels));
    return memberRights.filter((right) => kept.get(memberRightLabels[right]) === true);
  }
}
