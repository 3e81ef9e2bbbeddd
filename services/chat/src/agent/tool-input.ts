import { toLocalSchema } from "@carrel/mcp";
import { ToolError, type JsonSchema, type Tool } from "@carrel/skills";
import { z } from "zod";

const isZod = (schema: Tool["input"]): schema is z.ZodType => schema instanceof z.ZodType;

/** Building one takes longer than a statement, and most tools have the same in all runs. */
const inputSchemas = new WeakMap<z.ZodType, JsonSchema>();

/** The schema of a tool's input as models get it. */
export function inputSchemaOf({ input }: Tool): JsonSchema {
  if (!isZod(input)) return input;
  const known = inputSchemas.get(input);
  if (known !== undefined) return known;
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" });
  inputSchemas.set(input, schema);
  return schema;
}

/**
 * Reads what a model wrote as a tool's input. Throws ToolError, which tells the model what to
 * correct.
 */
export function readToolInput(tool: Tool, written: string): unknown {
  const value = parseJson(written);
  const parsed = isZod(tool.input) ? tool.input.safeParse(value) : checkJson(tool.input, value);
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

interface Validator {
  schema: z.ZodType;
  /** Characters of the JSON Schema. */
  length: number;
}

const validators = new WeakMap<JsonSchema, Validator | null>();
const anyObject = z.record(z.string(), z.unknown());
/**
 * Characters of a schema times values of an input, both of which others may have written; a check
 * of so much takes some tenths of a second.
 */
const mostWork = 1_000_000;

/** What can't be checked here may be any object: the server checks it itself. */
function checkJson(input: JsonSchema, value: unknown): z.ZodSafeParseResult<unknown> {
  const validator = validatorOf(input);
  if (validator === null || countValues(value) * validator.length > mostWork)
    return anyObject.safeParse(value);
  try {
    return validator.schema.safeParse(value);
  } catch {
    return anyObject.safeParse(value);
  }
}

function validatorOf(input: JsonSchema): Validator | null {
  let validator = validators.get(input);
  if (validator === undefined) {
    validator = compile(input);
    validators.set(input, validator);
  }
  return validator;
}

function compile(input: JsonSchema): Validator | null {
  const local = toLocalSchema(input);
  if (local === null) return null;
  try {
    const schema = z.fromJSONSchema(local.schema as Parameters<typeof z.fromJSONSchema>[0]);
    return { schema, length: local.length };
  } catch {
    return null;
  }
}

function countValues(value: unknown): number {
  let count = 0;
  const rest = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    count += 1;
    if (typeof next === "object" && next !== null)
      for (const each of Object.values(next)) rest.push(each);
  }
  return count;
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
