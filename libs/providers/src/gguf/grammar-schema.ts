type Schema = Record<string, unknown>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Keywords that grammars understand; others only describe the value. */
const kept = [
  "type",
  "const",
  "enum",
  "description",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "required",
] as const;
/** Longer repetitions make grammars slow. */
const longestRepetition = 512;

function convert(schema: unknown, definitions: Schema, depth: number): Schema {
  if (!isSchema(schema) || depth > 32) return {};
  const reference = schema.$ref;
  if (typeof reference === "string") {
    const name = /^#\/(?:\$defs|definitions)\/(.+)$/.exec(reference)?.[1];
    return name === undefined ? {} : convert(definitions[name], definitions, depth + 1);
  }
  const each = (values: unknown): Schema[] =>
    (values as unknown[]).map((value) => convert(value, definitions, depth + 1));
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(alternatives)) return { oneOf: each(alternatives) };
  if (Array.isArray(schema.allOf))
    return convert(
      Object.assign({}, schema, { allOf: undefined }, ...schema.allOf),
      definitions,
      depth + 1,
    );

  const result: Schema = {};
  for (const key of kept) {
    const value = schema[key];
    if (value === undefined) continue;
    if (/^(?:min|max)/.test(key) && Number(value) > longestRepetition) continue;
    result[key] = value;
  }
  if (isSchema(schema.properties))
    result.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, value]) => [
        name,
        convert(value, definitions, depth + 1),
      ]),
    );
  if (isSchema(schema.items)) result.items = convert(schema.items, definitions, depth + 1);
  if (Array.isArray(schema.prefixItems)) result.prefixItems = each(schema.prefixItems);
  if (schema.type === "object")
    result.additionalProperties = isSchema(schema.additionalProperties)
      ? convert(schema.additionalProperties, definitions, depth + 1)
      : schema.additionalProperties === true || schema.properties === undefined;
  return result;
}

/**
 * The part of a JSON Schema that a grammar can enforce: references resolved, unknown keywords left
 * out.
 */
export function grammarSchema(schema: object): { type: "object" } {
  const { $defs, definitions } = schema as Schema;
  return convert(schema, { ...(definitions as Schema), ...($defs as Schema) }, 0) as {
    type: "object";
  };
}
