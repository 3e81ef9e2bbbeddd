import {
  maxModelPrice,
  maxModelTokens,
  minContextWindow,
  modelAbilities,
  modelPriceNames,
  type ModelAbility,
  type ModelOverride,
  type ModelPriceName,
} from "@carrel/contracts";

export const limits = ["contextWindow", "outputLimit"] as const;
type Limit = (typeof limits)[number];

/** As typed; empty means the catalogue's value. Abilities are "", "yes" or "no". */
export type OverrideFields = Record<
  "provider" | "model" | Limit | ModelAbility | ModelPriceName,
  string
>;
export type OverrideFault =
  | "model"
  | "repeated"
  | "tokens"
  | "window"
  | "belowWindow"
  | "amount"
  | "both"
  | "nothing";

export const fieldsOf = (override: ModelOverride | null, provider: string): OverrideFields => {
  const text = (name: Limit | ModelPriceName): string => String(override?.[name] ?? "");
  const choice = (name: ModelAbility): string => {
    const value = override?.[name];
    return value === undefined ? "" : value ? "yes" : "no";
  };
  return {
    provider: override?.provider ?? provider,
    model: override?.model ?? "",
    ...(Object.fromEntries(
      [...limits, ...modelPriceNames].map((name) => [name, text(name)]),
    ) as Record<Limit | ModelPriceName, string>),
    ...(Object.fromEntries(modelAbilities.map((name) => [name, choice(name)])) as Record<
      ModelAbility,
      string
    >),
  };
};

const isAmount = (text: string): boolean =>
  /^\d+(\.\d+)?$|^\.\d+$/.test(text) && Number(text) <= maxModelPrice;
const isTokens = (text: string, min: number): boolean =>
  /^\d+$/.test(text) && Number(text) >= min && Number(text) <= maxModelTokens;

/** Why fields can't be saved, by field. `others` are the entries of other models. */
export function faultsOf(
  typed: OverrideFields,
  others: readonly ModelOverride[],
): Partial<Record<keyof OverrideFields, OverrideFault>> {
  const faults: Partial<Record<keyof OverrideFields, OverrideFault>> = {};
  const fields = Object.fromEntries(
    Object.entries(typed).map(([name, text]) => [name, text.trim()]),
  ) as OverrideFields;
  const { provider, model, contextWindow, outputLimit, input, cachedInput, output } = fields;
  if (model === "") faults.model = "model";
  else if (others.some((each) => each.provider === provider && each.model === model))
    faults.model = "repeated";
  if (contextWindow !== "" && !isTokens(contextWindow, minContextWindow))
    faults.contextWindow = "window";
  if (outputLimit !== "" && !isTokens(outputLimit, 1)) faults.outputLimit = "tokens";
  else if (
    outputLimit !== "" &&
    contextWindow !== "" &&
    Number(outputLimit) >= Number(contextWindow)
  )
    faults.outputLimit = "belowWindow";
  for (const name of modelPriceNames)
    if (fields[name] !== "" && !isAmount(fields[name])) faults[name] = "amount";
  if (input === "" && (output !== "" || cachedInput !== "")) faults.input ??= "both";
  if (output === "" && input !== "") faults.output ??= "both";
  const names = [...limits, ...modelAbilities, ...modelPriceNames];
  if (names.every((name) => fields[name] === "")) faults.contextWindow = "nothing";
  return faults;
}

/** The override described by valid fields. */
export const overrideOf = (fields: OverrideFields): ModelOverride => ({
  provider: fields.provider,
  model: fields.model.trim(),
  ...Object.fromEntries(
    [...limits, ...modelPriceNames]
      .filter((name) => fields[name].trim() !== "")
      .map((name) => [name, Number(fields[name])]),
  ),
  ...Object.fromEntries(
    modelAbilities
      .filter((name) => fields[name] !== "")
      .map((name) => [name, fields[name] === "yes"]),
  ),
});
