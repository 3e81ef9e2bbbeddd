import { isDeepStrictEqual } from "node:util";
import {
  allowedModelChanges,
  allowedModels,
  allowedModelsLabel,
  brandingChanged,
  defaultPromptLabel,
  fallbackModelsLabel,
  ingestLabels,
  memberRightLabels,
  memoryLabels,
  modelOverridesLabel,
  settingsChanged,
  sharingLabel,
  threadModelsLabel,
  threadTitlesLabel,
  type Scope,
} from "@carrel/contracts";
import { Broadcast, eventMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { EventLog } from "../event/event-log.ts";
import { PreferenceRepository } from "./preference.repository.ts";

/**
 * Preferences that others cache with their settings: chat the default prompt, memories, sharing,
 * prices, models and titles of threads, ingest text splitting and live sync, the gateway and the
 * app what members may do.
 */
const keptElsewhere: ReadonlySet<string> = new Set([
  defaultPromptLabel,
  fallbackModelsLabel,
  ...ingestLabels,
  ...Object.values(memberRightLabels),
  ...memoryLabels,
  modelOverridesLabel,
  sharingLabel,
  allowedModelsLabel,
  threadModelsLabel,
  threadTitlesLabel,
]);

/** The value to keep: limits of models are sent as changes, other preferences as a whole. */
function applyChange(label: string, kept: unknown, sent: unknown): unknown {
  if (label !== allowedModelsLabel || sent == null) return sent;
  const limits = { ...allowedModels.parse(kept ?? {}), ...allowedModelChanges.parse(sent) };
  return Object.fromEntries(Object.entries(limits).filter(([, models]) => models !== null));
}

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
  ) {}

  /**
   * Sets all values or none, and returns the previous ones. `isBranding` tells which labels pages
   * cache.
   */
  async update(
    scope: Scope,
    values: ReadonlyMap<string, unknown>,
    isBranding: (label: string) => boolean,
  ): Promise<Map<string, unknown>> {
    const { before, isShown, told } = await this.dataSource.transaction(async (manager) => {
      await this.preferences.lock(scope, manager);
      const kept = await this.preferences.list(scope, [...values.keys()], manager);
      const changed = [...values]
        .map(([label, value]) => [label, applyChange(label, kept.get(label), value)] as const)
        .filter(([label, value]) => !isDeepStrictEqual(kept.get(label) ?? null, value ?? null));
      for (const [label, value] of changed)
        await this.preferences.save(scope, manager, label, value);
      const keys = changed.map(([label]) => label);
      if (keys.length > 0) await this.log.record(manager, scope, "setting_changed", { keys });
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
