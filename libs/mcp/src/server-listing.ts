import type { Client } from "@modelcontextprotocol/client";
import { readTool, type ListedTool } from "./listed-tool.ts";
import { readPrompt, type ListedPrompt } from "./prompt.ts";

/** What a server has besides tools. */
export interface ServerExtras {
  /** Their number. */
  resources: number;
  prompts: ListedPrompt[];
}

const mostTools = 5_000;
const mostPrompts = 500;
const mostPages = 200;
const extrasMs = 10_000;

/** Lists all tools of a server. Throws what the SDK throws. */
export async function listServer(
  client: Client,
): Promise<{ tools: ListedTool[]; extras: ServerExtras }> {
  const can = client.getServerCapabilities() ?? {};
  const tools = can.tools === undefined ? [] : await listTools(client);
  const brief = { timeout: extrasMs };
  const [resources, prompts] = await Promise.all([
    can.resources === undefined
      ? 0
      : client.listResources(undefined, brief).then(
          (reply) => reply.resources.length,
          () => 0,
        ),
    can.prompts === undefined
      ? []
      : client.listPrompts(undefined, brief).then(
          (reply) => reply.prompts.map(readPrompt).filter((prompt) => prompt !== null),
          () => [],
        ),
  ]);
  return { tools, extras: { resources, prompts: prompts.slice(0, mostPrompts) } };
}

/** Requests the pages one by one: the SDK's own walk fails for a server that has too many. */
async function listTools(client: Client): Promise<ListedTool[]> {
  const tools = new Map<string, ListedTool>();
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const reply = await client.request({
      method: "tools/list",
      params: cursor === undefined ? {} : { cursor },
    });
    for (const entry of reply.tools) {
      const tool = readTool(entry);
      if (tool !== null && !tools.has(tool.name) && tools.size < mostTools)
        tools.set(tool.name, tool);
    }
    if (!reply.nextCursor || reply.nextCursor === cursor || tools.size >= mostTools) break;
    cursor = reply.nextCursor;
  }
  return [...tools.values()];
}
