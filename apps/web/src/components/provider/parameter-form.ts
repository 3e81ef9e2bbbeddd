import { reasoningEfforts, type ReasoningEffort, type ThreadParameters } from "@carrel/contracts";

/** The form's fields, as typed. */
export interface ParameterFields {
  systemPrompt: string;
  maxTokens: string;
  temperature: string;
  topP: string;
  effort: string;
}
export type NumberField = "maxTokens" | "temperature" | "topP";

const limits: Record<NumberField, { min: number; max: number; whole?: true }> = {
  maxTokens: { min: 16, max: 1_000_000, whole: true },
  temperature: { min: 0, max: 2 },
  topP: { min: 0.01, max: 1 },
};

/** Undefined: nothing was typed; NaN: not a number. Accepts decimal commas. */
const parse = (typed: string): number | undefined =>
  typed.trim() === "" ? undefined : Number(typed.trim().replace(",", "."));

export const fieldsOf = (saved: ThreadParameters): ParameterFields => ({
  systemPrompt: saved.systemPrompt ?? "",
  maxTokens: String(saved.maxTokens ?? ""),
  temperature: String(saved.temperature ?? ""),
  topP: String(saved.topP ?? ""),
  effort: saved.effort ?? "",
});

export function isInvalid(name: NumberField, typed: string): boolean {
  const value = parse(typed);
  const { min, max, whole } = limits[name];
  return (
    value !== undefined &&
    !(value >= min && value <= max && (whole === undefined || Number.isInteger(value)))
  );
}

const isEffort = (value: string): value is ReasoningEffort =>
  (reasoningEfforts as readonly string[]).includes(value);

export const parametersOf = (fields: ParameterFields): ThreadParameters => ({
  systemPrompt: fields.systemPrompt.trim() || null,
  maxTokens: parse(fields.maxTokens) ?? null,
  temperature: parse(fields.temperature) ?? null,
  topP: parse(fields.topP) ?? null,
  effort: isEffort(fields.effort) ? fields.effort : null,
});
