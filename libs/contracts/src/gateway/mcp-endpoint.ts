import { z } from "zod";
import { slug } from "../coercion.ts";
import { defineOperation, type Contracts } from "../operation.ts";

/** Scopes of access tokens for the MCP server, and what they allow in terms of API keys. */
export const mcpScopes = { read: "carrel:read", chat: "carrel:chat" } as const;

/**
 * Carrel as an MCP server: one JSON-RPC message per request, without sessions (streamable HTTP). The
 * route without a slug serves every workspace that the key or the person of the access token may use.
 * Tools that need more than `read` check the scopes themselves.
 */
export const serveMcp = defineOperation({
  name: "gateway.mcp.serve",
  service: "gateway",
  access: { who: "key", scope: "read", restrictedKeys: true, accessTokens: true },
  // MCP clients expect 401 with the address of the resource's metadata.
  errors: {
    KEY_REFUSED: { status: 401, kind: "json", body: { error: "No valid api key found." } },
    // The token is valid, but its person has no access, so a new token wouldn't help.
    UNAUTHENTICATED: { status: 403, kind: "json", body: { error: "$message" } },
  },
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/mcp",
      bodyField: "message",
      summary: "Send a message to the MCP server of all workspaces",
    },
    {
      name: "gateway.mcp.serve-workspace",
      method: "POST",
      path: "/mcp/:slug",
      bodyField: "message",
      access: { who: "key", scope: "read", workspace: true, accessTokens: true },
      summary: "Send a message to the MCP server of one workspace",
    },
  ],
  input: z.object({
    slug: slug.optional(),
    /** JSON-RPC 2.0; checked by the SDK. */
    message: z.unknown().meta({ type: "object" }),
  }),
  output: z.unknown().meta({ type: "object" }),
});

export const mcpEndpointContracts: Contracts = { operations: [serveMcp] };
