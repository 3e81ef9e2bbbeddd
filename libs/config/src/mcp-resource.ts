import type { InstanceConfig } from "./instance-shape.ts";

type McpConfig = Pick<
  InstanceConfig,
  "CARREL_MCP_OAUTH" | "CARREL_OIDC_ISSUER" | "CARREL_OIDC_CLIENT_ID" | "CARREL_PUBLIC_URL"
>;

/** What access tokens for the MCP server depend on. */
const needed = ["CARREL_OIDC_ISSUER", "CARREL_OIDC_CLIENT_ID", "CARREL_PUBLIC_URL"] as const;

/**
 * The MCP server's address, which is the audience of its access tokens, and their issuer; null if
 * it accepts none. Never taken from a request's Host header, with which a client could choose the
 * audience.
 */
export function mcpResource(config: McpConfig): { address: string; issuer: string } | null {
  const { CARREL_OIDC_ISSUER: issuer, CARREL_PUBLIC_URL: origin } = config;
  if (!config.CARREL_MCP_OAUTH || issuer === undefined || origin === undefined) return null;
  return { address: `${origin.replace(/\/+$/, "")}/api/mcp`, issuer };
}

export function mcpResourceFaults(config: Record<string, unknown>): string[] {
  if (config.CARREL_MCP_OAUTH !== true) return [];
  const missing = needed.filter((name) => config[name] === undefined);
  return missing.length === 0 ? [] : [`CARREL_MCP_OAUTH: needs ${missing.join(", ")}`];
}
