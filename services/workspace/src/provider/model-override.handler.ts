import {
  CarrelError,
  getModelOverrides,
  modelOverrides,
  modelOverridesLabel,
  setModelOverrides,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { PreferenceStore } from "../preference/preference-store.ts";
import { PreferenceRepository } from "../preference/preference.repository.ts";
import { allProviders } from "../setting/setting-definition.ts";

const isKnown = (provider: string): boolean =>
  allProviders.some(({ id, kind }) => id === provider && kind !== "vector");

/** Admin overrides for models. */
@Controller()
export class ModelOverrideHandler {
  constructor(
    private readonly preferences: PreferenceRepository,
    private readonly store: PreferenceStore,
  ) {}

  @Handle(getModelOverrides)
  async list(
    _input: In<typeof getModelOverrides>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getModelOverrides>> {
    const kept = await this.preferences.find(scope, modelOverridesLabel);
    return { overrides: modelOverrides.parse(kept ?? []) };
  }

  @Handle(setModelOverrides)
  async set(
    { overrides }: In<typeof setModelOverrides>,
    { scope }: RequestContext,
  ): Promise<Out<typeof setModelOverrides>> {
    const unknown = overrides.find(({ provider }) => !isKnown(provider));
    if (unknown !== undefined)
      throw new CarrelError("setting.language-provider-unknown", { provider: unknown.provider });
    const value = overrides.length === 0 ? null : overrides;
    await this.store.update(scope, new Map([[modelOverridesLabel, value]]), () => false);
    return { success: true };
  }
}
