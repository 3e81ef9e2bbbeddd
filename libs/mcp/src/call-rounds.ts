import { ToolError, type ToolCall } from "@carrel/skills";
import type { CallToolResult, Client, RequestOptions } from "@modelcontextprotocol/client";
import { answerElicitation } from "./elicitation.ts";
import type { ListedTool } from "./listed-tool.ts";

/** Rounds of questions in one call. */
const mostRounds = 10;

/** In the protocol of 2026, instead of a result. */
interface InputRequired {
  resultType?: string;
  inputRequests?: Record<string, { method?: unknown; params?: object }>;
  requestState?: string;
}

/** Calls a tool, and answers what the server asks meanwhile. Throws what the SDK throws. */
export async function callInRounds(
  client: Client,
  call: {
    server: string;
    tool: ListedTool;
    input: unknown;
    ask: ToolCall["ask"];
    options: RequestOptions;
  },
): Promise<CallToolResult> {
  const { server, tool, input, ask, options } = call;
  // Results aren't held against the output schema: the model reads what there is.
  const { outputSchema: _, ...definition } = tool.declared;
  let more: Record<string, unknown> = {};
  for (let round = 0; round < mostRounds; round++) {
    const result = (await client.callTool(
      { name: tool.name, arguments: (input ?? {}) as Record<string, unknown>, ...more },
      { ...options, allowInputRequired: true, toolDefinition: definition as never },
    )) as CallToolResult & InputRequired;
    if (result.resultType !== "input_required") return result;
    const inputResponses: Record<string, unknown> = {};
    for (const [key, { method, params = {} }] of Object.entries(result.inputRequests ?? {})) {
      if (method !== "elicitation/create")
        throw new ToolError(`The server asked for ${String(method)}, which isn't supported.`);
      inputResponses[key] = await answerElicitation(server, params, ask);
    }
    more = {
      inputResponses,
      ...(result.requestState === undefined ? {} : { requestState: result.requestState }),
    };
  }
  throw new ToolError("The server asked too many questions.");
}
