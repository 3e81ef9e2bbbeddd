import { ToolError, type JsonSchema, type Tool } from "@carrel/skills";
import { z } from "zod";

const isZod = (schema: Tool["input"]): schema is z.ZodType => schema instanceof z.ZodType;

/** The schema of a tool's input as models get it. */
export function inputSchemaOf({ input }: Tool): JsonSchema {
  if (!isZod(input)) return input;
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" });
  return schema;
}

/**
 * Reads what a model wrote as a tool's input. Throws ToolError, which tells the model what to
 * correct.
 */
export function readToolInput(tool: Tool, written: string): unknown {
  const parsed = validatorOf(tool).safeParse(parseJson(written));
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues
    .slice(0, 10)
    .map(({ path, message }) => `- ${path.length === 0 ? "input" : path.join(".")}: ${message}`);
  throw new ToolError(
    `The input of ${tool.name} is invalid:\n${issues.join("\n")}\nCorrect it and call the tool again.`,
    { code: "tool.input-invalid", params: { tool: tool.name } },
  );
}

function parseJson(written: string): unknown {
  // Some models send nothing if all fields are optional.
  if (written.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(written);
    // Some write the JSON as a string within JSON.
    return typeof value === "string" && /^\s*\{/.test(value) ? JSON.parse(value) : value;
  } catch (error) {
    throw new ToolError(
      `The input isn't valid JSON: ${(error as Error).message}. Correct it and call the tool again.`,
      { code: "tool.input-malformed" },
      { cause: error },
    );
  }
}

const validators = new WeakMap<object, z.ZodType>();

/** A schema of a server that can't be understood accepts any object: the server checks it. */
function validatorOf({ input }: Tool): z.ZodType {
  if (isZod(input)) return input;
  let validator = validators.get(input);
  if (validator === undefined) {
    try {
      validator = z.fromJSONSchema(input as Parameters<typeof z.fromJSONSchema>[0]);
    } catch {
      validator = z.record(z.string(), z.unknown());
    }
    validators.set(input, validator);
  }
  return validator;
}

/** A model may have written malformed JSON, which vendors reject when it is repeated. */
export function readObject(json: string): Record<string, unknown> {
  try {
    const input: unknown = JSON.parse(json);
    if (typeof input === "object" && input !== null && !Array.isArray(input))
      return input as Record<string, unknown>;
  } catch {
    // Repeated without input.
  }
  return {};
}

/** The same for two calls with the same fields in another order. */
export const callKey = (name: string, input: unknown): string =>
  `${name} ${JSON.stringify(input, (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )}`;
