import { parseJson } from "../parse-json.ts";

/*
 * The variables of a flow's start. Values are passed as text and read by their type, without which
 * they are texts, as those of existing clients.
 */

export const flowVariableTypes = ["text", "number", "boolean", "list", "json"] as const;
export type FlowVariableType = (typeof flowVariableTypes)[number];

export interface FlowVariable {
  name: string;
  /** The default. */
  value: string;
  description: string;
  /** Default: text. */
  valueType?: FlowVariableType | undefined;
  /** Whether a run without a value fails. */
  required?: boolean | undefined;
}

/**
 * The value that a text stands for: of a list, JSON or an item on each line. Nothing is an empty
 * text or list. Null if it isn't of the type.
 */
export function readFlowValue(type: FlowVariableType, text: string): { value: unknown } | null {
  const trimmed = text.trim();
  if (type === "text") return { value: text };
  if (type === "list" && !/^[[{]/.test(trimmed))
    return {
      value: trimmed
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
    };
  if (trimmed === "") return { value: "" };
  switch (type) {
    case "number": {
      const number = Number(trimmed);
      return Number.isFinite(number) ? { value: number } : null;
    }
    case "boolean":
      return trimmed === "true" || trimmed === "false" ? { value: trimmed === "true" } : null;
    default: {
      const value = parse(trimmed);
      return value === undefined || (type === "list" && !Array.isArray(value)) ? null : { value };
    }
  }
}

function parse(json: string): unknown {
  try {
    return parseJson(json);
  } catch {
    return undefined;
  }
}

/** What keeps a value from being used. */
export type FlowInputFault =
  | "flow.input-missing"
  | "flow.input-not-number"
  | "flow.input-not-boolean"
  | "flow.input-not-list"
  | "flow.input-not-json";

/** @param text what was given, or the default */
export function checkFlowInput(
  { valueType = "text", required = false }: Pick<FlowVariable, "valueType" | "required">,
  text: string,
): FlowInputFault | null {
  const read = readFlowValue(valueType, text);
  if (read === null) return valueType === "text" ? null : `flow.input-not-${valueType}`;
  const isEmpty = Array.isArray(read.value) ? read.value.length === 0 : text.trim() === "";
  return required && isEmpty ? "flow.input-missing" : null;
}
