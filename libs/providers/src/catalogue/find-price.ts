import { vendors } from "../vendors/index.ts";
import { findCatalogueModel, findNonChatPrice, type ModelPrice } from "./model-catalogue.ts";

const free: ModelPrice = { input: 0, cachedInput: 0, output: 0, characters: 0, audioMinutes: 0 };

/** Whether its models run on the instance's own machines and therefore cost nothing. */
export function isFreeProvider(provider: string): boolean {
  const vendor = vendors.find(({ id }) => id === provider);
  return vendor !== undefined && vendor.group !== "hosted" && vendor.isRelay !== true;
}

/** Returns null if the price isn't known, which doesn't mean that the model is free. */
export function findPrice(provider: string, model: string): ModelPrice | null {
  if (isFreeProvider(provider)) return free;
  const other = findNonChatPrice(provider, model.replace(/^models\//, ""));
  if (other !== undefined) return other;
  const found = findCatalogueModel(provider, model);
  if (found?.inputPrice === undefined || found.outputPrice === undefined) return null;
  return {
    input: found.inputPrice,
    cachedInput: found.cachedInputPrice ?? found.inputPrice,
    output: found.outputPrice,
  };
}
