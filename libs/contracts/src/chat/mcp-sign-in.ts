import { z } from "zod";
import { rowId } from "../coercion.ts";
import { defineOperation, type Contracts } from "../operation.ts";

/*
 * Sign-ins to MCP servers (docs/decisions/mcp.md).
 */

const refused = {
  BAD_INPUT: { status: 400, kind: "json", body: { error: "$message" } },
  NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } },
} as const;

/** Redirects the browser to the server's sign-in page. */
export const startMcpSignIn = defineOperation({
  access: { who: "admin" },
  errors: refused,
  name: "gateway.mcp-server.start-sign-in",
  service: "gateway",
  mount: "custom",
  calls: ["chat"],
  routes: [
    {
      method: "POST",
      path: "/mcp-servers/:id/sign-in",
      summary: "Start signing in to an MCP server; the reply names the page to open",
    },
  ],
  input: z.object({ id: rowId }),
  output: z.object({ url: z.string() }),
});

export const finishMcpSignIn = defineOperation({
  name: "gateway.mcp-server.finish-sign-in",
  service: "gateway",
  mount: "custom",
  access: { who: "public" },
  calls: ["chat"],
  success: { status: 302, kind: "empty" },
  routes: [
    {
      method: "GET",
      path: "/mcp-servers/callback",
      summary: "Where an MCP server's sign-in page returns to",
    },
  ],
  input: z.object({}),
  output: z.void(),
});

/** By which this instance introduces itself to sign-in servers that read such documents. */
export const readMcpClient = defineOperation({
  name: "gateway.mcp-server.client",
  service: "gateway",
  mount: "custom",
  access: { who: "public" },
  routes: [
    {
      method: "GET",
      path: "/mcp-servers/client",
      summary: "Read this instance's OAuth client metadata document, for MCP servers' sign-ins",
    },
  ],
  input: z.object({}),
  output: z.object({
    client_id: z.string(),
    client_name: z.string(),
    client_uri: z.string(),
    redirect_uris: z.array(z.string()),
    grant_types: z.array(z.string()),
    response_types: z.array(z.string()),
    token_endpoint_auth_method: z.string(),
  }),
});

/** Internal: returns the page to open, and what the browser keeps until it returns. */
export const beginMcpSignIn = defineOperation({
  name: "chat.mcp-server.begin-sign-in",
  service: "chat",
  access: { who: "internal" },
  timeoutMs: 60_000,
  input: z.object({ id: rowId, redirectUri: z.url() }),
  output: z.object({ url: z.string(), sealed: z.string() }),
});

/** Internal. */
export const completeMcpSignIn = defineOperation({
  name: "chat.mcp-server.complete-sign-in",
  service: "chat",
  access: { who: "internal" },
  timeoutMs: 60_000,
  input: z.object({ callbackUrl: z.url(), sealed: z.string() }),
  output: z.object({ name: z.string() }),
});

export const mcpSignInContracts: Contracts = {
  operations: [startMcpSignIn, finishMcpSignIn, readMcpClient, beginMcpSignIn, completeMcpSignIn],
};
