import { z } from "zod";
import { rowId, slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";

/*
 * Prompts of MCP servers, which people choose in the message field (docs/agents/mcp.md).
 */

/** Bytes of a prompt's text, as of a message's; longer ones are refused, never shortened. */
export const longestMcpPrompt = 200_000;

export const mcpPromptWire = z.object({
  serverId: z.number().int(),
  server: z.string(),
  /** As the server names it. */
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  arguments: z.array(
    z.object({
      name: z.string(),
      title: z.string().nullable(),
      description: z.string(),
      isRequired: z.boolean(),
    }),
  ),
});
export type McpPromptWire = z.infer<typeof mcpPromptWire>;

const forPeople = {
  service: "chat",
  access: { who: "session", workspace: true },
  calls: ["workspace"],
  timeoutMs: 60_000,
} as const;

export const listMcpPrompts = defineOperation({
  ...forPeople,
  name: "chat.mcp-prompt.list",
  errors: inWorkspace,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/mcp-prompts",
      summary: "List the prompts of the MCP servers that you can use",
    },
  ],
  input: z.object({ slug }),
  output: z.object({ prompts: z.array(mcpPromptWire) }),
});

export const getMcpPrompt = defineOperation({
  ...forPeople,
  name: "chat.mcp-prompt.get",
  errors: {
    ...inWorkspace,
    BAD_INPUT: { status: 400, kind: "json", body: { error: "$message" } },
    NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } },
  },
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/mcp-prompts/:serverId",
      summary: "Get a prompt of an MCP server as text",
    },
  ],
  input: z.object({
    slug,
    serverId: rowId,
    name: z.string().max(1_000),
    arguments: z
      .record(z.string().max(1_000), z.string().max(20_000))
      .refine((values) => Object.keys(values).length <= 100)
      .default({}),
  }),
  output: z.object({
    text: z.string(),
    /** Media types and addresses of its parts that aren't text. */
    leftOut: z.array(z.string()),
  }),
});

export const mcpPromptContracts: Contracts = { operations: [listMcpPrompts, getMcpPrompt] };
