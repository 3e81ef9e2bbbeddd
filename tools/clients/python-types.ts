// JSON schemas as Python types: objects become TypedDicts, named after where they occur.
import type { JsonSchema } from "./developer-api.ts";

const keywords = new Set(["from", "import", "class", "global", "in", "is", "not", "pass", "type"]);

export const toSnakeCase = (name: string): string => {
  const snake = name
    .replace(/-/g, "_")
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
  return keywords.has(snake) ? `${snake}_` : snake;
};
export const toPascalCase = (name: string): string =>
  name
    .split(/[^A-Za-z\d]+|_/)
    .filter(Boolean)
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join("");

const literal = (value: unknown): string =>
  value === null
    ? "None"
    : `Literal[${typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value)}]`;
const simple: Record<string, string> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
  object: "dict[str, Any]",
};
const union = (types: string[]): string => {
  // A union of plain types inside another one is part of it.
  const distinct = [
    ...new Set(types.flatMap((type) => (/[[(]/.test(type) ? [type] : type.split(" | ")))),
  ];
  if (distinct.includes("Any")) return "Any";
  // None comes last, as is customary.
  return [
    ...distinct.filter((type) => type !== "None"),
    ...distinct.filter((type) => type === "None"),
  ].join(" | ");
};

export class PythonTypes {
  /** The definitions by name. */
  private readonly defined = new Map<string, string>();
  /** The name of each distinct definition, so that equal ones share it. */
  private readonly names = new Map<string, string>();

  /** Defines a named schema. */
  define(name: string, schema: JsonSchema): void {
    const type = this.write(schema, name);
    if (type !== name) this.defined.set(name, `${name}: TypeAlias = ${quoteNames(type)}\n`);
  }

  /** A Python type; `place` names the objects in it. */
  write(schema: JsonSchema, place: string): string {
    if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1)!;
    if ("const" in schema) return literal(schema.const);
    if (schema.enum !== undefined) return union(schema.enum.map(literal));
    const options = schema.anyOf ?? schema.oneOf;
    if (options !== undefined) return this.writeUnion(options, place);
    if (Array.isArray(schema.type))
      return union(schema.type.map((type) => this.write({ ...schema, type }, place)));
    if (schema.type === "array") return this.writeList(schema, place);
    if (schema.properties !== undefined && Object.keys(schema.properties).length > 0)
      return this.writeObject(schema, place);
    if (schema.type === "object" && typeof schema.additionalProperties === "object")
      return `dict[str, ${this.write(schema.additionalProperties, `${place}Value`)}]`;
    return simple[String(schema.type)] ?? "Any";
  }

  private writeUnion(options: JsonSchema[], place: string): string {
    return union(
      options.map((option, index) => {
        const tag = option.properties?.type?.const ?? option.properties?.role?.const;
        const objects = options.filter(({ properties }) => properties !== undefined).length;
        const own =
          objects < 2 ? "" : typeof tag === "string" ? toPascalCase(tag) : String(index + 1);
        return this.write(option, place + own);
      }),
    );
  }

  private writeList({ items = {} }: JsonSchema, place: string): string {
    return items.not === undefined ? `list[${this.write(items, singular(place))}]` : "list[Any]";
  }

  private writeObject({ properties = {}, required = [] }: JsonSchema, place: string): string {
    const fields = Object.entries(properties).map(([key, schema]) => {
      const type = this.write(schema, place + toPascalCase(key));
      return [key, required.includes(key) ? type : `NotRequired[${type}]`] as const;
    });
    const shape = JSON.stringify(fields);
    const known = this.names.get(shape);
    if (known !== undefined) return known;
    let name = place;
    for (let count = 2; this.defined.has(name); count++) name = `${place}${count}`;
    this.names.set(shape, name);
    const isPlain = fields.every(([key]) => /^[A-Za-z_]\w*$/.test(key) && !keywords.has(key));
    this.defined.set(
      name,
      isPlain
        ? `class ${name}(TypedDict):\n${fields.map(([key, type]) => `    ${key}: ${type}\n`).join("")}`
        : `${name} = TypedDict(\n    "${name}",\n    {\n${fields
            .map(([key, type]) => `        "${key}": ${quoteNames(type)},\n`)
            .join("")}    },\n)\n`,
    );
    return name;
  }

  /** The module with all definitions. */
  print(): string {
    return [
      "# Generated from docs/openapi.json by `./carrel clients`.",
      "from __future__ import annotations",
      "",
      "from typing import Any, Literal, NotRequired, TypeAlias, TypedDict",
      "",
      "",
      [...this.defined.values()].join("\n\n"),
    ].join("\n");
  }
}

/** Outside annotations, names that may be defined further down have to be strings. */
const quoteNames = (type: string): string => `"${type.replaceAll('"', "'")}"`;
const singular = (place: string): string =>
  place.endsWith("ies")
    ? `${place.slice(0, -3)}y`
    : /[^s]s$/.test(place)
      ? place.slice(0, -1)
      : `${place}Item`;
