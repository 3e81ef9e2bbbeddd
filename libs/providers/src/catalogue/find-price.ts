import { vendors } from "../vendors/index.ts";
import { findCatalogueModel } from "./model-catalogue.ts";

/** US dollars per million tokens, which is millionths of a dollar per token. */
export interface TokenPrice {
  input: number;
  /** Of tokens read from the vendor's prompt cache. */
  cachedInput: number;
  output: number;
}

const free: TokenPrice = { input: 0, cachedInput: 0, output: 0 };

/** Whether its models run on the instance's own machines, so that their tokens cost nothing. */
export function isFreeProvider(provider: string): boolean {
  const vendor = vendors.find(({ id }) => id === provider);
  return vendor !== undefined && vendor.group !== "hosted" && vendor.isRelay !== true;
}

/** Returns null if the price isn't known, which doesn't mean that the model is free. */
export function findPrice(provider: string, model: string): TokenPrice | null {
  if (isFreeProvider(provider)) return free;
  const found = findCatalogueModel(provider, model);
  if (found?.inputPrice === undefined || found.outputPrice === undefined) return null;
  return {
    input: found.inputPrice,
    cachedInput: found.cachedInputPrice ?? found.inputPrice,
    output: found.outputPrice,
  };
}
