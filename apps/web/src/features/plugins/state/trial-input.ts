import type { PluginDetail } from "@carrel/contracts";

type Param = PluginDetail["params"][string];

/** What a field of the form says as the parameter's type; undefined if it is empty. */
function readField({ type }: Param, text: string): unknown {
  if (type === "boolean") return text === "true";
  if (text.trim() === "") return undefined;
  if (type === "number" || type === "integer")
    return Number.isNaN(Number(text)) ? text : Number(text);
  if (type !== "array" && type !== "object") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The input of a call from a form's fields; values that a plugin doesn't expect are its to refuse. */
export const readInput = (
  params: PluginDetail["params"],
  fields: Readonly<Record<string, string>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params)
      .map(([name, param]) => [name, readField(param, fields[name] ?? "")] as const)
      .filter(([, value]) => value !== undefined),
  );
