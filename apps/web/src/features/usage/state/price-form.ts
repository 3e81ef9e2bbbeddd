import { maxTokenPrice, type ModelPrice } from "@carrel/contracts";

export const amounts = ["input", "cachedInput", "output"] as const;
export type Amount = (typeof amounts)[number];

/** As typed. */
export type PriceFields = Record<"provider" | "model" | Amount, string>;
export type PriceFault = "model" | "repeated" | "amount";

export const fieldsOf = (price: ModelPrice | null, provider: string): PriceFields => ({
  provider: price?.provider ?? provider,
  model: price?.model ?? "",
  input: price ? String(price.input) : "",
  cachedInput: price ? String(price.cachedInput) : "",
  output: price ? String(price.output) : "",
});

const isSameModel = (
  one: Pick<ModelPrice, "provider" | "model">,
  other: Pick<ModelPrice, "provider" | "model">,
): boolean => one.provider === other.provider && one.model === other.model;

const isAmount = (text: string): boolean =>
  /^\d+(\.\d+)?$|^\.\d+$/.test(text.trim()) && Number(text) <= maxTokenPrice;

/** Why fields can't be saved, by field. `others` are the prices of other rows. */
export function faultsOf(
  fields: PriceFields,
  others: readonly ModelPrice[],
): Partial<Record<keyof PriceFields, PriceFault>> {
  const faults: Partial<Record<keyof PriceFields, PriceFault>> = {};
  const model = fields.model.trim();
  if (model === "") faults.model = "model";
  else if (others.some((each) => isSameModel(each, { provider: fields.provider, model })))
    faults.model = "repeated";
  for (const amount of amounts) if (!isAmount(fields[amount])) faults[amount] = "amount";
  return faults;
}

/** The price that valid fields say. */
export const priceOf = ({
  provider,
  model,
  input,
  cachedInput,
  output,
}: PriceFields): ModelPrice => ({
  provider,
  model: model.trim(),
  input: Number(input),
  cachedInput: Number(cachedInput),
  output: Number(output),
});
