import type { ErrorDefinition } from "./error-definition.ts";

/** Features that existing clients offer but this version lacks. */
export const featureErrors = {
  "feature.connectors": {
    kind: "DISABLED",
    message: "This server can't import from this source yet. Upload the files or links instead.",
  },
  "feature.flows": { kind: "DISABLED", message: "This server doesn't support agent flows yet." },
  "feature.skills": {
    kind: "DISABLED",
    message: "This server doesn't support this agent skill yet.",
  },
  "feature.sql-connections": {
    kind: "DISABLED",
    message: "This server doesn't support agents' SQL connections yet.",
  },
  "feature.sql-connection-incomplete": {
    kind: "BAD_INPUT",
    message: "Both engine and connection details are required.",
  },
  "feature.mcp-servers": {
    kind: "DISABLED",
    message: "This server doesn't support MCP servers yet.",
  },
  "feature.hub": {
    kind: "DISABLED",
    message: "This server doesn't support the community hub yet.",
  },
  "feature.live-sync": {
    kind: "DISABLED",
    message: "This server can't watch documents for changes yet.",
  },
} as const satisfies Record<string, ErrorDefinition>;
