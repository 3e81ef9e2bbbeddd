import { Controller } from "@nestjs/common";
import { admitModelCall, releaseModelCall, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { isFreeProvider, noTokens } from "@carrel/providers";
import { readPrices } from "../setting/price-lookup.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { noMedia, totalCost } from "../usage/call-cost.ts";
import { Budgets } from "./budgets.ts";

/** Applies budgets to models that other services call. */
@Controller()
export class ModelCallHandler {
  constructor(
    private readonly budgets: Budgets,
    private readonly settings: SettingsCache,
  ) {}

  @Handle(admitModelCall)
  async admit(
    { callId, provider, model, inputTokens }: In<typeof admitModelCall>,
    { scope }: RequestContext,
  ): Promise<Out<typeof admitModelCall>> {
    const price = readPrices((await this.settings.getInstance()).values)(provider, model);
    const cost =
      price === null ? null : totalCost(price, { ...noTokens, input: inputTokens }, noMedia);
    await this.budgets.admitCall(callId, scope, {
      tokens: inputTokens,
      micros: cost ?? 0,
      isFree: isFreeProvider(provider),
    });
    return {};
  }

  @Handle(releaseModelCall)
  async release({ callId }: In<typeof releaseModelCall>): Promise<Out<typeof releaseModelCall>> {
    await this.budgets.release(callId);
    return {};
  }
}
