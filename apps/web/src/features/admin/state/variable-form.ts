import type { PromptVariable } from "../../../lib/prompt-variables.ts";
import type { VariableFields } from "../api/variables.ts";

export type VariableFault =
  | "keyMissing"
  | "keyCharacters"
  | "keyLength"
  | "keyTaken"
  | "valueMissing";

/**
 * Errors that the instance would return, by field. `others` are the existing keys, including
 * built-in ones.
 */
export function variableFaults(
  { key, value }: VariableFields,
  others: readonly Pick<PromptVariable, "key">[],
): { key: VariableFault | null; value: VariableFault | null } {
  const name = key.trim();
  const fault =
    name === ""
      ? "keyMissing"
      : !/^[a-zA-Z0-9_]+$/.test(name)
        ? "keyCharacters"
        : name.length < 3 || name.length > 255
          ? "keyLength"
          : others.some((other) => other.key === name)
            ? "keyTaken"
            : null;
  return { key: fault, value: value.trim() === "" ? "valueMissing" : null };
}
