import type { JsonSchema, ToolDefinition } from "../spec/language-model.ts";
import { parseLenient } from "./lenient-json.ts";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The schemas of a tool's properties. */
export function propertiesOf(schema: JsonSchema | undefined): Record<string, JsonSchema> {
  const properties = schema?.properties;
  return isObject(properties) ? (properties as Record<string, JsonSchema>) : {};
}

function typesOf(schema: JsonSchema | undefined): readonly unknown[] {
  if (schema === undefined) return [];
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf)) return anyOf.flatMap((each) => typesOf(each as JsonSchema));
  return Array.isArray(type) ? (type as unknown[]) : type === undefined ? [] : [type];
}

/** A text as the type that its schema asks for; unchanged if it isn't one. */
function convertText(text: string, schema: JsonSchema | undefined): unknown {
  const types = typesOf(schema);
  if (types.length === 0 || types.includes("string")) return text;
  const word = text.trim().toLowerCase();
  if (types.includes("boolean") && (word === "true" || word === "false")) return word === "true";
  if (types.includes("null") && (word === "null" || word === "none")) return null;
  if ((types.includes("number") || types.includes("integer")) && word !== "") {
    const number = Number(word);
    if (Number.isFinite(number)) return number;
  }
  const parsed =
    types.includes("array") || types.includes("object") ? parseLenient(text) : undefined;
  return parsed ?? text;
}

const plain = (key: string): string => key.toLowerCase().replaceAll(/[^a-z\d]/g, "");

/** The property that a key means if only case and punctuation differ. */
function findKey(key: string, properties: Record<string, JsonSchema>, given: object): string {
  if (Object.hasOwn(properties, key)) return key;
  const like = Object.keys(properties).find((each) => plain(each) === plain(key));
  return like === undefined || Object.hasOwn(given, like) ? key : like;
}

/** The value with texts converted to the types of the schema. */
function fitToSchema(value: unknown, schema: JsonSchema | undefined): unknown {
  if (typeof value === "string") return convertText(value, schema);
  if (Array.isArray(value)) {
    const { items } = schema ?? {};
    return isObject(items) ? value.map((item) => fitToSchema(item, items)) : value;
  }
  if (!isObject(value)) return value;
  const properties = propertiesOf(schema);
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const name = findKey(key, properties, value);
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, fitToSchema(each, known)];
    }),
  );
}

/** The only property that a bare text can be meant for. */
function onlyProperty(tool: ToolDefinition | undefined): string | undefined {
  const names = Object.keys(propertiesOf(tool?.inputSchema));
  const { required } = tool?.inputSchema ?? {};
  const needed = Array.isArray(required) ? (required as string[]) : [];
  return needed.length === 1 ? needed[0] : names.length === 1 ? names[0] : undefined;
}

/** Some models encode the arguments, and then the encoded text again. */
const mostEncodings = 3;

/**
 * A call's input as JSON, fitted to the tool's schema. Text that can't be read is returned as it
 * is, so that validation fails and the model is told.
 */
export function writeInput(given: unknown, tool: ToolDefinition | undefined): string {
  let value = given;
  for (let turn = 0; typeof value === "string" && turn < mostEncodings; turn++) {
    const text = value.trim();
    const inner = /^["']/.test(text) ? readString(text) : undefined;
    value = inner ?? (/^[{[]/.test(text) ? (parseLenient(text) ?? text) : text);
    if (value === text) break;
  }
  if (value === undefined || value === null || value === "") return "{}";
  if (isObject(value)) return JSON.stringify(fitToSchema(value, tool?.inputSchema));
  const property = onlyProperty(tool);
  if (property === undefined || Array.isArray(value) || looksCut(value))
    return typeof value === "string" ? value : JSON.stringify(value);
  return JSON.stringify(fitToSchema({ [property]: value }, tool?.inputSchema));
}

/** Whether it is an object that couldn't be read, rather than a text. */
const looksCut = (value: unknown): boolean => typeof value === "string" && /^[{[]/.test(value);

function readString(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
