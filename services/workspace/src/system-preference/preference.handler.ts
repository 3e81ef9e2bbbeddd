import {
  listPreferences,
  liveSyncLabel,
  servicePrincipal,
  updatePreferences,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { preferenceDefinitions } from "../preference/preference-definition.ts";
import {
  PreferenceRepository,
  PreferenceStore,
  mayWrite,
} from "../preference/preference.repository.ts";
import { SettingStore } from "../setting/setting-store.ts";

/**
 * Some labels fall back to the embedder's limits, which managers may see although only admins may
 * see its settings.
 */
const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

@Controller()
export class PreferenceHandler {
  constructor(
    private readonly preferences: PreferenceRepository,
    private readonly store: PreferenceStore,
    private readonly settings: SettingStore,
  ) {}

  /** Unknown or hidden labels and those the caller may not see are left out. */
  @Handle(listPreferences)
  async list(
    input: In<typeof listPreferences>,
    context: RequestContext,
  ): Promise<Out<typeof listPreferences>> {
    const asked = input.labels?.split(",").map((label) => label.trim());
    const labels = [...new Set(asked ?? preferenceDefinitions.keys())].filter(
      (label) =>
        mayWrite(context.scope, label) && preferenceDefinitions.get(label)?.read !== undefined,
    );
    if (labels.length === 0) return { settings: {} };
    const stored = labels.includes("feature_flags") ? [...labels, liveSyncLabel] : labels;
    const [kept, settings] = await Promise.all([
      this.preferences.list(context.scope, stored),
      this.settings.read(serviceScope),
    ]);
    const read = (label: string): unknown =>
      label === "feature_flags"
        ? { [liveSyncLabel]: kept.get(liveSyncLabel) === true }
        : preferenceDefinitions.get(label)?.read?.(kept.get(label), settings);
    return { settings: Object.fromEntries(labels.map((label) => [label, read(label)])) };
  }

  /**
   * Always succeeds on this wire: unknown and read-only labels and those the caller may not set are
   * ignored.
   */
  @Handle(updatePreferences)
  async update(
    input: In<typeof updatePreferences>,
    context: RequestContext,
  ): Promise<Out<typeof updatePreferences>> {
    const values = new Map<string, unknown>();
    for (const [label, sent] of Object.entries(input.preferences)) {
      const value = mayWrite(context.scope, label)
        ? preferenceDefinitions.get(label)?.write?.(sent)
        : undefined;
      if (value !== undefined) values.set(label, value);
    }
    if (values.size > 0)
      await this.store.update(
        context.scope,
        values,
        (label) => preferenceDefinitions.get(label)?.isBranding === true,
      );
    return { success: true, error: null };
  }
}
