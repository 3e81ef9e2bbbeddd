import {
  CarrelError,
  getModelPrices,
  modelPrices,
  modelPricesLabel,
  setModelPrices,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { PreferenceStore } from "../preference/preference-store.ts";
import { PreferenceRepository } from "../preference/preference.repository.ts";
import { findProvider } from "../setting/setting-definition.ts";

/** Prices of models that an admin set; chat has those of the catalogue. */
@Controller()
export class ModelPriceHandler {
  constructor(
    private readonly preferences: PreferenceRepository,
    private readonly store: PreferenceStore,
  ) {}

  @Handle(getModelPrices)
  async list(
    _input: In<typeof getModelPrices>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getModelPrices>> {
    return {
      prices: modelPrices.parse((await this.preferences.find(scope, modelPricesLabel)) ?? []),
    };
  }

  @Handle(setModelPrices)
  async set(
    { prices }: In<typeof setModelPrices>,
    { scope }: RequestContext,
  ): Promise<Out<typeof setModelPrices>> {
    const unknown = prices.find(
      ({ provider }) => !findProvider("language", provider) && !findProvider("embedding", provider),
    );
    if (unknown !== undefined)
      throw new CarrelError("setting.language-provider-unknown", { provider: unknown.provider });
    const value = prices.length === 0 ? null : prices;
    await this.store.update(scope, new Map([[modelPricesLabel, value]]), () => false);
    return { success: true };
  }
}
