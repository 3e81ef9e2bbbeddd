/** A JSON Schema (draft 2020-12) whose root is an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool the model may call; Carrel runs it, not the vendor. */
export interface ToolDefinition {
  /** Letters, digits, `_` and `-`, at most 64 characters, which every vendor accepts. */
  name: string;
  description: string;
  inputSchema: JsonSchema;
}

/**
 * auto: the model decides; required: it must call a tool; `{ tool }`: it must call this one. Ollama
 * can't be forced: there, `required` means `auto`, and `{ tool }` offers only that tool.
 */
export type ToolChoice = "auto" | "none" | "required" | { tool: string };

/**
 * Restricts the answer to JSON of this schema. Vendors agree on schemas in which every property is
 * required and `additionalProperties` is false.
 */
export interface OutputFormat {
  /** Letters, digits, `_` and `-`, at most 64 characters. */
  name: string;
  schema: JsonSchema;
}
