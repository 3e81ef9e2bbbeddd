import { createHash } from "node:crypto";
import { clipText } from "@carrel/contracts";
import type { JsonSchema } from "@carrel/skills";
import { readableText, usableSchema } from "./tool-schema.ts";

/** A tool as a server lists it, made safe to show and to offer. */
export interface ListedTool {
  name: string;
  title: string | null;
  description: string;
  schema: JsonSchema;
  isSchemaReplaced: boolean;
  isReadOnly: boolean;
  isIdempotent: boolean;
  /** Of everything that a model or an admin relies on. */
  hash: string;
  /** For headers that the protocol derives from the schema. */
  declared: Readonly<Record<string, unknown>>;
}

const longestName = 200;
const longestDescription = 8_000;

/** Returns null for an entry that can't be a tool. */
export function readTool(entry: unknown): ListedTool | null {
  if (typeof entry !== "object" || entry === null) return null;
  const declared = entry as Record<string, unknown>;
  const { name } = declared;
  if (typeof name !== "string" || name === "" || name.length > longestName) return null;
  const hints = Object(declared.annotations) as Record<string, unknown>;
  const { schema, isReplaced } = usableSchema(declared.inputSchema);
  const titles = [declared.title, hints.title].filter((title) => typeof title === "string");
  const tool = {
    name,
    title: titles.length === 0 ? null : clipText(readableText(titles[0]!), 200),
    description:
      typeof declared.description === "string"
        ? clipText(readableText(declared.description), longestDescription)
        : "",
    schema,
    isSchemaReplaced: isReplaced,
    isReadOnly: hints.readOnlyHint === true && hints.destructiveHint !== true,
    isIdempotent: hints.idempotentHint === true,
  };
  return { ...tool, declared, hash: hashOf(tool) };
}

const hashOf = (tool: object): string =>
  createHash("sha256").update(canonical(tool)).digest("base64url").slice(0, 22);

/** JSON with sorted keys, so that the order in which a server sends them doesn't matter. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(",")}}`;
}
