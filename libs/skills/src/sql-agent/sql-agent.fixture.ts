import type { SqlConnection } from "@carrel/contracts";
import type { Tool, ToolCall, ToolResult } from "../tool.ts";
import { createSqlAgent } from "./sql-agent.ts";

export const toolCall = (signal: AbortSignal = new AbortController().signal): ToolCall => ({
  signal,
  key: "1",
  progress: () => undefined,
  ask: async (questions) => questions.map(() => null),
  nextSource: 1,
});

/** Calls the tools of one database by name. */
export function openTools(connection: SqlConnection) {
  const tools = createSqlAgent({ connections: [connection] });
  const call = (name: string, input: object, signal?: AbortSignal): Promise<ToolResult> => {
    const tool = tools.find((each) => each.name === name) as Tool<object>;
    return tool.run({ database_id: connection.name, ...input }, toolCall(signal));
  };
  return {
    call,
    query: (sql_query: string, signal?: AbortSignal) => call("sql-query", { sql_query }, signal),
  };
}

/** Everything of an error that could be shown or logged. */
export const textOf = (error: unknown): string => {
  const texts: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause)
    texts.push(String(each.stack), JSON.stringify(each, Object.getOwnPropertyNames(each)));
  return texts.join("\n");
};
