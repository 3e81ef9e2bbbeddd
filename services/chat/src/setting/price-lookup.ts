import { findModelOverride, readModelOverrides } from "@carrel/contracts";
import { findPrice, type ModelPrice } from "@carrel/providers";

/** Returns null if the price of a model isn't known. */
export type PriceLookup = (provider: string, model: string) => ModelPrice | null;

/** Prefers an admin's prices, even for models that are otherwise free, to the catalogue's. */
export function readPrices(values: Readonly<Record<string, string>>): PriceLookup {
  const overrides = readModelOverrides(values);
  if (overrides.length === 0) return findPrice;
  return (provider, model) => {
    const known = findPrice(provider, model);
    const own = findModelOverride(overrides, provider, model);
    if (own === undefined) return known;
    const { input, cachedInput = input, output, characters, audioMinutes } = own;
    const prices = {
      ...known,
      ...(input !== undefined && { input, cachedInput, output }),
      ...(characters !== undefined && { characters }),
      ...(audioMinutes !== undefined && { audioMinutes }),
    };
    return Object.keys(prices).length === 0 ? null : (prices as ModelPrice);
  };
}
