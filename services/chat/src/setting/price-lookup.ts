import { modelPrices, modelPricesLabel } from "@carrel/contracts";
import { findPrice, type ModelPrice } from "@carrel/providers";

/** Returns null if the price of a model isn't known. */
export type PriceLookup = (provider: string, model: string) => ModelPrice | null;

/** An admin's prices, also of models that are free otherwise, before those of the catalogue. */
export function readPrices(values: Readonly<Record<string, string>>): PriceLookup {
  const kept = values[modelPricesLabel];
  if (kept === undefined) return findPrice;
  const prices = modelPrices.parse(JSON.parse(kept));
  return (provider, model) => {
    const own = prices.find((each) => each.provider === provider && each.model === model);
    if (own === undefined) return findPrice(provider, model);
    const { input, cachedInput, output } = own;
    return { input, cachedInput, output };
  };
}
