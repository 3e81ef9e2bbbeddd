import { z } from "zod";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/** Preference label of the list; chat reads it along with the settings. */
export const modelPricesLabel = "model_prices";

/** In US dollars per million tokens; 0 is free. */
export const maxTokenPrice = 10_000;
const tokenPrice = z.number().min(0).max(maxTokenPrice);

const modelPrice = z.object({
  provider: z.string().min(1).max(64),
  model: z.string().trim().min(1).max(255),
  input: tokenPrice,
  /** Of tokens read from the vendor's prompt cache. */
  cachedInput: tokenPrice,
  output: tokenPrice,
});
export type ModelPrice = z.infer<typeof modelPrice>;

export const maxModelPrices = 200;
/** Prices that replace those of the model catalogue. */
export const modelPrices = z
  .array(modelPrice)
  .max(maxModelPrices, { error: `At most ${maxModelPrices} prices.` })
  .refine(
    (prices) =>
      new Set(prices.map((each) => JSON.stringify([each.provider, each.model]))).size ===
      prices.length,
    { error: "Only one price for each model." },
  );

/** Carrel-specific. */
export const getModelPrices = defineOperation({
  name: "workspace.model-price.list",
  service: "workspace",
  access: { who: "admin" },
  routes: [
    {
      method: "GET",
      path: "/system/model-prices",
      summary: "List the prices of models that replace the catalogue's",
    },
  ],
  input: z.object({}),
  output: z.object({ prices: modelPrices }),
});

/** Carrel-specific: all prices at once. They count from the next call of a model on. */
export const setModelPrices = defineOperation({
  name: "workspace.model-price.set",
  service: "workspace",
  access: { who: "admin" },
  idempotency: "natural",
  routes: [
    {
      method: "PUT",
      path: "/system/model-prices",
      summary: "Set the prices of models that replace the catalogue's",
    },
  ],
  input: z.object({ prices: modelPrices }),
  output: z.object({ success: z.literal(true) }),
});

export const modelPriceContracts: Contracts = { operations: [getModelPrices, setModelPrices] };
