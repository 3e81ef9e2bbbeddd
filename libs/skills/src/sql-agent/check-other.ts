import { ToolError } from "../tool.ts";
import { refuseStatement } from "./sql-fault.ts";

const kinds = new Set(["select", "union", "intersect", "except", "subquery", "values", "paren"]);

/**
 * Reads the statement with a parser of its dialect. Throws ToolError with the parser's message if it
 * can't, and unless it is a single query.
 */
export async function requireQuery(text: string, dialect: "mysql" | "tsql"): Promise<void> {
  const { parse } = await import("@polyglot-sql/sdk");
  const parsed = parse(text, dialect as Parameters<typeof parse>[1]);
  if (!parsed.success)
    throw new ToolError(`The statement can't be read: ${parsed.error ?? "syntax error"}`);
  const statements = [parsed.ast].flat() as unknown[];
  if (statements.length !== 1) throw refuseStatement("write exactly one statement.");
  const [kind = ""] = Object.keys(statements[0] as object);
  if (!kinds.has(kind)) throw refuseStatement("it isn't a query.");
  visit(statements[0]);
}

/** Statements within statements; `into` and `locks` are parts of queries. */
const writing = new Set(["insert", "update", "delete", "merge", "create_table", "command", "drop"]);

function visit(node: unknown): void {
  if (Array.isArray(node)) return node.forEach(visit);
  if (typeof node !== "object" || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    if (typeof value !== "object" || value === null) continue;
    if (name === "into") throw refuseStatement("leave out INTO.");
    if (name === "locks" && Array.isArray(value) && value.length > 0)
      throw refuseStatement("leave out FOR UPDATE and FOR SHARE.");
    if (writing.has(name)) throw refuseStatement("nothing in it may change data.");
    visit(value);
  }
}
