import type { JsonSchema } from "@carrel/skills";
import { findReference, namedSchemas, schemaLists, singleSchemas } from "./tool-schema.ts";

/** Characters of a schema as JSON, once every reference is replaced by what it refers to. */
const largest = 65_536;
const deepest = 64;
/** Keywords with patterns, which could take hours to match, and what references have replaced. */
const left = new Set(["pattern", "patternProperties", "$defs", "definitions", "contentSchema"]);

/**
 * A server's schema as we check a model's input with it: without patterns and references, and so
 * without recursion. It accepts whatever the server's own does. Returns null if it would be too
 * large.
 *
 * @returns its length as JSON too, to which the time of a check is proportional
 */
export function toLocalSchema(schema: JsonSchema): { schema: JsonSchema; length: number } | null {
  try {
    const inliner = new Inliner(schema);
    return { schema: inliner.inline(schema, [], 0) as JsonSchema, length: inliner.length };
  } catch {
    return null;
  }
}

class Inliner {
  length = 0;

  constructor(private readonly root: JsonSchema) {}

  /** @param within the references around it */
  inline(schema: unknown, within: readonly string[], depth: number): unknown {
    if (depth > deepest) throw new Error("too deep");
    this.count(2);
    if (typeof schema !== "object" || schema === null) return schema;
    const { $ref: reference } = schema as { $ref?: unknown };
    if (typeof reference === "string") {
      if (within.includes(reference)) return {};
      const target = findReference(reference, this.root);
      return this.inline(target, [...within, reference], depth + 1);
    }
    const inlined: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      // Names that a pattern allows are additional ones here.
      const isLeft =
        left.has(keyword) || (keyword === "additionalProperties" && "patternProperties" in schema);
      if (isLeft) continue;
      this.count(keyword.length + 4);
      inlined[keyword] = this.keyword(keyword, value, (inner) =>
        this.inline(inner, within, depth + 1),
      );
    }
    return inlined;
  }

  private keyword(keyword: string, value: unknown, each: (inner: unknown) => unknown): unknown {
    if (Array.isArray(value) && (schemaLists.has(keyword) || keyword === "items"))
      return value.map(each);
    if (namedSchemas.has(keyword))
      return Object.fromEntries(
        Object.entries(value as object).map(([name, inner]) => {
          this.count(name.length + 4);
          return [name, each(inner)];
        }),
      );
    if (singleSchemas.has(keyword)) return each(value);
    this.count(JSON.stringify(value)?.length ?? 0);
    return value;
  }

  private count(characters: number): void {
    this.length += characters;
    if (this.length > largest) throw new Error("too large");
  }
}
