import { z } from "zod";
import { rowId } from "../coercion.ts";
import { outcomeWire, refusedOutcome } from "../error-reply.ts";
import { faultWire } from "../errors/error-definition.ts";
import { renderFault } from "../errors/fault.ts";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";
import { mcpServerConfig } from "./mcp-server-config.ts";

/*
 * MCP servers, whose tools agents use (wire-contract 5.10, docs/decisions/mcp.md).
 */

/** Part of the names of its tools, so it can't be changed. */
export const mcpServerName = z
  .string()
  .regex(/^[^\s\p{C}/\\](?:[^\p{C}/\\]{0,62}[^\s\p{C}/\\])?$/u);

export const mcpToolStates = [
  "offered",
  // An admin switched it off.
  "suppressed",
  // It differs from what an admin approved.
  "changed",
  // It wasn't there when an admin approved the tools.
  "new",
] as const;
export type McpToolState = (typeof mcpToolStates)[number];

export const mcpToolWire = z.object({
  /** As the server names it. */
  name: z.string(),
  /** As models call it. */
  callName: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  /** A JSON Schema. */
  inputSchema: z.record(z.string(), z.unknown()),
  /** Whether the server's own schema was unusable, so that models get one that allows anything. */
  isSchemaReplaced: z.boolean(),
  /** What the server says of it. */
  isReadOnly: z.boolean(),
  state: z.enum(mcpToolStates),
  /** Covers everything that a model or an admin relies on; approvals name it. */
  hash: z.string(),
  /** What an admin approved, if that has changed. */
  approvedDescription: z.string().nullable(),
});
export type McpToolWire = z.infer<typeof mcpToolWire>;

/**
 * idle: connects with the first use. stopped: an admin switched it off. waiting: a connection was
 * lost and is tried again.
 */
export const mcpServerStates = [
  "idle",
  "connecting",
  "connected",
  "waiting",
  "failed",
  "stopped",
] as const;

export const mcpServerWire = z.object({
  id: z.number().int(),
  name: z.string(),
  /** With masked secrets; null if the stored one can't be decrypted. */
  config: mcpServerConfig.nullable(),
  enabled: z.boolean(),
  autoStart: z.boolean(),
  /** Whether only the person who added it can use it. */
  isPersonal: z.boolean(),
  /** In the process that was asked. */
  state: z.enum(mcpServerStates),
  fault: faultWire.nullable(),
  /** The negotiated version of the protocol; null until it has connected. */
  version: z.string().nullable(),
  pid: z.number().int().nullable(),
  /** ISO 8601 time of the last successful connection. */
  connectedAt: z.string().nullable(),
  /** none: it asked for no sign-in. */
  signIn: z.enum(["none", "required", "done"]),
  suppressedTools: z.array(z.string()),
  tools: z.array(mcpToolWire),
  /** Numbers of what else it has. */
  resources: z.number().int(),
  prompts: z.number().int(),
});
export type McpServerWire = z.infer<typeof mcpServerWire>;

/** The shape of existing clients, which is also that of their configuration file. */
function legacyConfig({ config, autoStart, suppressedTools }: McpServerWire) {
  if (config === null) return null;
  const anythingllm = { autoStart, suppressedTools };
  if (config.kind === "command") {
    const { command, args, env } = config;
    return { command, args, env, anythingllm };
  }
  const { url, transport, headers } = config;
  return { ...(transport === "auto" ? {} : { type: transport }), url, headers, anythingllm };
}

const legacyServer = z.object({
  name: z.string(),
  config: z.record(z.string(), z.unknown()).nullable(),
  running: z.boolean(),
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      inputSchema: z.record(z.string(), z.unknown()),
    }),
  ),
  error: z.string().nullable(),
  process: z.object({ pid: z.number().int().nullable() }).nullable(),
});

const toLegacyServer = (server: McpServerWire): z.infer<typeof legacyServer> => ({
  name: server.name,
  config: legacyConfig(server),
  running: server.state === "connected",
  tools: server.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  })),
  error: server.fault === null ? null : renderFault(server.fault),
  process: server.state === "connected" ? { pid: server.pid } : null,
});

const refused = {
  BAD_INPUT: { status: 400, kind: "json", body: { error: "$message" } },
  NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } },
  CONFLICT: { status: 409, kind: "json", body: { error: "$message" } },
} as const;
const outcomes = {
  BAD_INPUT: refusedOutcome.REFUSED,
  NOT_FOUND: refusedOutcome.REFUSED,
  DISABLED: refusedOutcome.REFUSED,
} as const;
const byAdmin = { service: "chat", access: { who: "admin" }, errors: refused } as const;
/** A server goes on receiving texts, or running a command, after the session has ended. */
const byProvenAdmin = { ...byAdmin, access: { who: "admin", proof: "recent" } } as const;
const list = z.object({
  servers: z.array(mcpServerWire),
  /** Whether commands can be run on this instance. */
  allowsCommands: z.boolean(),
});

export const listMcpServers = defineOperation({
  ...byAdmin,
  name: "chat.mcp-server.list",
  timeoutMs: 60_000,
  routes: [
    {
      method: "GET",
      path: "/mcp-servers",
      summary: "List MCP servers with their tools and health",
    },
    {
      name: "chat.mcp-server.list-legacy",
      method: "GET",
      path: "/mcp-servers/list",
      summary: "List MCP servers with their tools, as existing clients read them",
      output: z.object({ success: z.literal(true), servers: z.array(legacyServer) }),
      mapReply: (output) => ({ success: true, servers: output.servers.map(toLegacyServer) }),
    },
  ],
  input: z.object({}),
  output: list,
});

export const reloadMcpServers = defineOperation({
  ...byAdmin,
  name: "chat.mcp-server.reload",
  idempotency: "natural",
  timeoutMs: 60_000,
  routes: [
    {
      method: "POST",
      path: "/mcp-servers/reload",
      summary: "Close all connections to MCP servers and connect again",
    },
    {
      name: "chat.mcp-server.force-reload",
      method: "GET",
      path: "/mcp-servers/force-reload",
      summary: "Close all connections to MCP servers and connect again, as existing clients do",
      changesState: true,
      output: z.object({
        success: z.literal(true),
        error: z.null(),
        servers: z.array(legacyServer),
      }),
      mapReply: (output) => ({
        success: true,
        error: null,
        servers: output.servers.map(toLegacyServer),
      }),
    },
  ],
  input: z.object({}),
  output: list,
});

const fields = {
  config: mcpServerConfig,
  enabled: z.boolean().default(true),
  /** Whether it connects when Carrel starts, not with its first use. */
  autoStart: z.boolean().default(true),
};

export const addMcpServer = defineOperation({
  ...byProvenAdmin,
  name: "chat.mcp-server.add",
  idempotency: "keyed",
  routes: [{ method: "POST", path: "/mcp-servers", summary: "Add an MCP server" }],
  input: z.object({ name: mcpServerName, isPersonal: z.boolean().default(false), ...fields }),
  output: z.object({ id: z.number().int() }),
});

export const updateMcpServer = defineOperation({
  ...byProvenAdmin,
  name: "chat.mcp-server.update",
  idempotency: "natural",
  routes: [{ method: "PUT", path: "/mcp-servers/:id", summary: "Change an MCP server" }],
  input: z.object({ id: rowId, ...fields }),
  output: z.object({ success: z.boolean() }),
});

export const importMcpServers = defineOperation({
  ...byProvenAdmin,
  name: "chat.mcp-server.import",
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/mcp-servers/import",
      summary: "Add the MCP servers of a configuration file (anythingllm_mcp_servers.json)",
    },
  ],
  input: z.object({ file: z.string().max(500_000) }),
  output: z.object({
    added: z.array(z.string()),
    /** Servers that weren't added, and why. */
    skipped: z.array(z.object({ name: z.string(), fault: faultWire })),
  }),
});

export const toggleMcpServer = defineOperation({
  ...byAdmin,
  name: "chat.mcp-server.toggle",
  errors: outcomes,
  routes: [{ method: "POST", path: "/mcp-servers/toggle", summary: "Start or stop an MCP server" }],
  /** Without `enabled`, it is stopped if it is enabled, else started. */
  input: z.object({ name: z.string().max(1_000), enabled: z.boolean().optional() }),
  output: outcomeWire,
});

export const deleteMcpServer = defineOperation({
  ...byAdmin,
  name: "chat.mcp-server.delete",
  calls: ["workspace"],
  errors: outcomes,
  routes: [{ method: "POST", path: "/mcp-servers/delete", summary: "Delete an MCP server" }],
  input: z.object({ name: z.string().max(1_000) }),
  output: outcomeWire,
});

const noTools = {
  status: 200,
  kind: "json",
  body: { success: false, error: "$message", suppressedTools: [] },
} as const;
export const toggleMcpTool = defineOperation({
  ...byAdmin,
  name: "chat.mcp-server.toggle-tool",
  errors: { BAD_INPUT: noTools, NOT_FOUND: noTools, CONFLICT: noTools },
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/mcp-servers/toggle-tool",
      summary: "Enable or disable a tool of an MCP server; enabling it approves it as it is now",
    },
  ],
  input: z.object({
    serverName: z.string().max(1_000),
    toolName: z.string().max(1_000),
    enabled: z.boolean(),
    /** Hash of the tool as the caller read it; refused if the tool has changed since. */
    hash: z.string().max(100).optional(),
  }),
  output: outcomeWire.extend({ suppressedTools: z.array(z.string()) }),
});

export const approveMcpTools = defineOperation({
  ...byAdmin,
  name: "chat.mcp-server.approve",
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/mcp-servers/:id/approve",
      summary: "Approve tools of an MCP server as the caller has read them",
    },
  ],
  /** All are refused if one is another now, or isn't listed. */
  input: z.object({
    id: rowId,
    tools: z
      .array(z.object({ name: z.string().max(1_000), hash: z.string().max(100) }))
      .max(10_000),
  }),
  output: z.object({ success: z.boolean() }),
});

export const callMcpTool = defineOperation({
  ...byAdmin,
  name: "chat.mcp-server.call",
  timeoutMs: 90_000,
  routes: [
    { method: "POST", path: "/mcp-servers/:id/call", summary: "Call a tool of an MCP server once" },
  ],
  input: z.object({
    id: rowId,
    tool: z.string().max(1_000),
    input: z.record(z.string(), z.unknown()).default({}),
  }),
  output: z.object({
    /** The first 20,000 characters. */
    text: z.string(),
    fault: faultWire.nullable(),
    milliseconds: z.number().int(),
  }),
});

export const readMcpLog = defineOperation({
  ...byAdmin,
  name: "chat.mcp-server.log",
  routes: [
    {
      method: "GET",
      path: "/mcp-servers/:id/log",
      summary: "Read the last lines of an MCP server's log",
    },
  ],
  input: z.object({ id: rowId }),
  output: z.object({ lines: z.array(z.object({ at: z.string(), text: z.string() })) }),
});

/** An MCP server was added, changed or deleted, or is to connect again. */
export const mcpServersChanged = defineEvent({
  name: "mcp-servers.changed",
  service: "chat",
  consumers: [],
  /** `id` null: all. */
  payload: z.object({ id: z.number().int().nullable(), reconnect: z.boolean().default(false) }),
});

export const mcpServerContracts: Contracts = {
  operations: [
    listMcpServers,
    reloadMcpServers,
    addMcpServer,
    updateMcpServer,
    importMcpServers,
    toggleMcpServer,
    deleteMcpServer,
    toggleMcpTool,
    approveMcpTools,
    callMcpTool,
    readMcpLog,
  ],
  events: [mcpServersChanged],
};
