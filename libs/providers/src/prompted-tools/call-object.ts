import { propertiesOf, writeInput } from "./call-input.ts";
import type { ToolNames } from "./tool-names.ts";

/** A call that a model wrote as text. */
export interface WrittenCall {
  /** An offered tool's name, or an unknown one as the model wrote it. */
  name: string;
  /** JSON, unless the model's couldn't be repaired. */
  input: string;
}

type Fields = Record<string, unknown>;

const nameKeys = ["name", "function", "tool", "tool_name", "function_name", "action"];
const nestedKeys = ["tool_calls", "function_calls", "tool_call", "function_call", "calls"];
const inputKeys = [
  "arguments",
  "parameters",
  "args",
  "input",
  "params",
  "action_input",
  "tool_input",
  "tool_args",
  "kwargs",
];
/** What templates add to a call. */
const otherKeys = new Set(["id", "type", "tool_call_id", "index", "thought", "call_id"]);

/** First keys of an object that may be a call. */
export const callKeys = [
  ...nameKeys,
  ...nestedKeys,
  ...inputKeys,
  ...otherKeys,
  "recipient_name",
  "tool_uses",
];

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The calls that a JSON value means. `isSure` tells that it stood where only a call can stand, so
 * that an unknown or misspelt name is a call, too.
 */
export function readCallValue(value: unknown, names: ToolNames, isSure: boolean): WrittenCall[] {
  if (Array.isArray(value))
    return value.flatMap((each) => (isFields(each) ? readCallValue(each, names, isSure) : []));
  if (!isFields(value)) return [];
  for (const key of nestedKeys)
    if (typeof value[key] === "object") return readCallValue(value[key], names, isSure);
  if (isFields(value.function)) return readCall({ ...value, ...value.function }, names, isSure);
  return readCall(value, names, isSure);
}

function readCall(fields: Fields, names: ToolNames, isSure: boolean): WrittenCall[] {
  const nameKey = nameKeys.find((key) => typeof fields[key] === "string");
  if (nameKey === undefined) return readNamedByKey(fields, names);
  const { name, tool, isGuess } = names.find(fields[nameKey] as string);
  if (!isSure && (tool === undefined || isGuess)) return [];
  const inputKey = inputKeys.find((key) => Object.hasOwn(fields, key));
  if (inputKey !== undefined) return [{ name, input: writeInput(fields[inputKey], tool) }];
  const rest = Object.entries(fields).filter(
    ([key]) => key !== nameKey && key !== "function" && !otherKeys.has(key),
  );
  const properties = propertiesOf(tool?.inputSchema);
  if (!isSure && !rest.every(([key]) => Object.hasOwn(properties, key))) return [];
  return [{ name, input: writeInput(Object.fromEntries(rest), tool) }];
}

/** `{"search": {"query": …}}`. */
function readNamedByKey(fields: Fields, names: ToolNames): WrittenCall[] {
  const entries = Object.entries(fields);
  if (
    entries.length === 0 ||
    !entries.every(([key, each]) => names.isOffered(key) && isFields(each))
  )
    return [];
  return entries.map(([key, input]) => {
    const { name, tool } = names.find(key);
    return { name, input: writeInput(input, tool) };
  });
}
