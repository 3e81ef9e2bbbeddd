import type { JsonSchema } from "@carrel/skills";

/** Characters of a schema as JSON; longer ones would fill the model's context. */
const longestSchema = 65_536;
const deepest = 32;
const types = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
/** Accepts anything; the server checks its input itself. */
const anything: JsonSchema = { type: "object", additionalProperties: true };

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
export const singleSchemas: ReadonlySet<string> = new Set([
  "items",
  "additionalItems",
  "contains",
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
]);
export const schemaLists: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
export const namedSchemas: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A server's schema as models get it. One that no model or validator can use accepts anything. */
export function usableSchema(declared: unknown): { schema: JsonSchema; isReplaced: boolean } {
  try {
    if (declared === undefined || declared === null)
      return { schema: { type: "object" }, isReplaced: false };
    if (!isObject(declared) || (declared.type ?? "object") !== "object")
      throw new Error("not an object");
    if (JSON.stringify(declared).length > longestSchema) throw new Error("too long");
    const schema = { ...(copy(declared, declared, 0) as JsonSchema), type: "object" };
    return { schema, isReplaced: false };
  } catch {
    return { schema: anything, isReplaced: true };
  }
}

/** Copies a schema with readable texts. Throws if a validator could not compile it. */
function copy(schema: unknown, root: Record<string, unknown>, depth: number): unknown {
  if (depth > deepest) throw new Error("too deep");
  if (typeof schema === "boolean") return schema;
  if (!isObject(schema)) throw new Error("not a schema");
  const copied: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "__proto__") throw new Error("not a schema");
    copied[keyword] = copyKeyword(keyword, value, root, depth);
  }
  return copied;
}

function copyKeyword(
  keyword: string,
  value: unknown,
  root: Record<string, unknown>,
  depth: number,
): unknown {
  const each = (item: unknown): unknown => copy(item, root, depth + 1);
  if (schemaLists.has(keyword)) {
    if (!Array.isArray(value) || value.length === 0) throw new Error(keyword);
    return value.map(each);
  }
  if (namedSchemas.has(keyword)) {
    if (!isObject(value) || Object.hasOwn(value, "__proto__")) throw new Error(keyword);
    if (keyword === "patternProperties") Object.keys(value).forEach(requirePattern);
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, each(item)]));
  }
  // Before 2020-12, `items` could be a list.
  if (keyword === "items" && Array.isArray(value)) return value.map(each);
  if (singleSchemas.has(keyword)) return each(value);
  switch (keyword) {
    case "type":
      if (![value].flat().every((type) => types.has(type as string))) throw new Error(keyword);
      return value;
    case "required":
      if (!Array.isArray(value) || !value.every((name) => typeof name === "string"))
        throw new Error(keyword);
      return value;
    case "enum":
      if (!Array.isArray(value)) throw new Error(keyword);
      return value;
    case "$ref":
      findReference(value, root);
      return value;
    case "pattern":
      requirePattern(value);
      return value;
    case "title":
    case "description":
      return typeof value === "string" ? readableText(value) : undefined;
    default:
      return value;
  }
}

function requirePattern(pattern: unknown): void {
  if (typeof pattern !== "string" || pattern.length > 1_000) throw new Error("pattern");
  RegExp(pattern, "u");
}

/** Only within the schema: nothing is fetched. Throws if there is no such part of it. */
export function findReference(reference: unknown, root: JsonSchema): unknown {
  if (typeof reference !== "string" || !reference.startsWith("#")) throw new Error("$ref");
  let at: unknown = root;
  for (const part of decodeURIComponent(reference).split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    at =
      isObject(at) && Object.hasOwn(at, key)
        ? at[key]
        : Array.isArray(at)
          ? at[Number(key)]
          : undefined;
  }
  if (at === undefined) throw new Error("$ref");
  return at;
}

/**
 * Text of a server without characters that nobody sees, in which instructions for models can be
 * hidden from the admin who reads it.
 */
export const readableText = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu, (character) =>
      character === "\n" || character === "\t" ? character : "",
    )
    // Variation selectors, which can carry bytes.
    .replace(/[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu, "")
    .replace(/\n{4,}/g, "\n\n\n")
    .trim();
