import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of MCP servers (docs/decisions/mcp.md). */
export const mcpErrors = {
  "mcp.not-found": { kind: "NOT_FOUND", message: "This MCP server doesn't exist." },
  "mcp.tool-not-found": { kind: "NOT_FOUND", message: "{{server}} has no tool named {{tool}}." },
  "mcp.prompt-not-found": {
    kind: "NOT_FOUND",
    message: "{{server}} has no prompt named {{prompt}}.",
  },
  "mcp.prompt-argument-missing": {
    kind: "BAD_INPUT",
    message: "{{prompt}} needs a value for {{argument}}.",
  },
  "mcp.prompt-too-large": {
    kind: "PROVIDER_FAILED",
    message: "{{prompt}} is {{kilobytes}} kB long. A message can have at most {{limit}} kB.",
  },
  "mcp.prompt-empty": { kind: "PROVIDER_FAILED", message: "{{prompt}} contains no text." },
  "mcp.prompt-failed": {
    kind: "PROVIDER_FAILED",
    message: "{{server}} refused the prompt {{prompt}}: {{reason}}",
  },
  "mcp.tools-changed": {
    kind: "CONFLICT",
    message:
      "{{server}} now lists other tools than you have read, or none. Read them again before you approve them.",
  },
  "mcp.name-taken": {
    kind: "CONFLICT",
    message: "There is already an MCP server named {{name}}.",
  },
  "mcp.too-many": {
    kind: "CONFLICT",
    message: "There can be at most {{limit}} MCP servers. Delete one first.",
  },
  "mcp.commands-disabled": {
    kind: "DISABLED",
    message:
      "Local commands are off on instances with user accounts. To allow them, set CARREL_MCP_COMMANDS=1 on the server.",
  },
  "mcp.secret-missing": {
    kind: "BAD_INPUT",
    message: "Enter the value of {{name}} again: the stored one is only sent to the old address.",
  },
  "mcp.secret-unreadable": {
    kind: "SETTING_REFUSED",
    message:
      "The settings of {{server}} can't be read with this instance's secret. Enter them again.",
  },
  "mcp.file-invalid": {
    kind: "BAD_INPUT",
    message: "This isn't a configuration of MCP servers: {{reason}}",
  },
  "mcp.stopped": {
    kind: "DISABLED",
    message: "Server was stopped manually by the administrator.",
  },
  "mcp.connect-timed-out": {
    kind: "TIMEOUT",
    message: "{{server}} didn't connect within {{seconds}} seconds. Check its log.",
  },
  "mcp.command-missing": {
    kind: "PROVIDER_FAILED",
    message: "Couldn't start {{server}}: the command {{command}} wasn't found or isn't executable.",
  },
  "mcp.exited": {
    kind: "PROVIDER_FAILED",
    message: "{{server}} stopped unexpectedly. Check its log.",
  },
  "mcp.unreachable": {
    kind: "PROVIDER_FAILED",
    message: "Couldn't reach {{server}} at {{origin}}. Is it running? Check its address.",
  },
  "mcp.address-refused": {
    kind: "LINK_REFUSED",
    message: "Couldn't connect to {{server}}: {{reason}}",
  },
  "mcp.refused": {
    kind: "PROVIDER_FAILED",
    message: "{{server}} answered with status {{status}}. Check its address and headers.",
  },
  "mcp.sign-in-required": {
    kind: "PROVIDER_FAILED",
    message: "{{server}} requires a sign-in. Connect it in Settings > MCP servers.",
  },
  "mcp.sign-in-failed": {
    kind: "PROVIDER_FAILED",
    message: "Couldn't sign in to {{server}}: {{reason}}",
  },
  "mcp.sign-in-expired": {
    kind: "REFUSED",
    message: "This sign-in has expired or was started in another browser. Start it again.",
  },
  "mcp.sign-in-outdated": {
    kind: "REFUSED",
    message: "{{server}} was changed during the sign-in. Start it again.",
  },
  "mcp.reply-invalid": {
    kind: "PROVIDER_FAILED",
    message: "{{server}} sent a response that Carrel couldn't read: {{reason}}",
  },
  "mcp.reply-too-large": {
    kind: "PROVIDER_FAILED",
    message: "{{server}} sent more than {{megabytes}} MB at once.",
  },
  "mcp.call-timed-out": {
    kind: "TIMEOUT",
    message: "{{server}} didn't finish {{tool}} within {{seconds}} seconds.",
  },
  "mcp.tool-failed": {
    kind: "PROVIDER_FAILED",
    message: "{{tool}} reported an error: {{reason}}",
  },
} as const satisfies Record<string, ErrorDefinition>;
