import {
  addMcpServer,
  approveMcpTools,
  beginMcpSignIn,
  callMcpTool,
  deleteMcpServer,
  getMcpPrompt,
  importMcpServers,
  listMcpPrompts,
  listMcpServers,
  readMcpLog,
  reloadMcpServers,
  toggleMcpServer,
  toggleMcpTool,
  updateMcpServer,
  type McpServerWire,
} from "@carrel/contracts";
import type { TestInstance } from "./instance.ts";
import { json, row, type Row } from "./wire-row.ts";

const schema = { type: "object", properties: {} };
const command: McpServerWire = {
  id: 3,
  name: "files",
  config: { kind: "command", command: "npx", args: ["-y", "files"], env: { KEY: "********" } },
  enabled: true,
  autoStart: true,
  isPersonal: false,
  state: "connected",
  fault: null,
  version: "2025-11-25",
  pid: 41,
  connectedAt: "2026-11-01T00:00:00.000Z",
  signIn: "none",
  suppressedTools: ["write"],
  tools: [
    {
      name: "read",
      callName: "files-read",
      title: null,
      description: "Reads a file.",
      inputSchema: schema,
      isSchemaReplaced: false,
      isReadOnly: true,
      state: "offered",
      hash: "b0FhZ",
      approvedDescription: null,
    },
  ],
  resources: 0,
  prompts: 0,
};
const address: McpServerWire = {
  ...command,
  id: 4,
  name: "tickets",
  config: { kind: "address", url: "https://a.example/mcp", transport: "sse", headers: {} },
  enabled: false,
  state: "stopped",
  fault: { code: "mcp.stopped" },
  pid: null,
  tools: [],
  suppressedTools: [],
};
const servers = [command, address];
const list = { servers, allowsCommands: true };
const done = { success: true, error: null };
/** As existing clients read them (wire-contract 5.10). */
const legacy = [
  {
    name: "files",
    config: {
      command: "npx",
      args: ["-y", "files"],
      env: { KEY: "********" },
      anythingllm: { autoStart: true, suppressedTools: ["write"] },
    },
    running: true,
    tools: [{ name: "read", description: "Reads a file.", inputSchema: schema }],
    error: null,
    process: { pid: 41 },
  },
  {
    name: "tickets",
    config: {
      type: "sse",
      url: "https://a.example/mcp",
      headers: {},
      anythingllm: { autoStart: true, suppressedTools: [] },
    },
    running: false,
    tools: [],
    error: "Server was stopped manually by the administrator.",
    process: null,
  },
];
const prompt = {
  serverId: 3,
  server: "files",
  name: "review",
  title: null,
  description: "Asks for a review.",
  arguments: [{ name: "ticket", title: null, description: "", isRequired: true }],
};
const config = { kind: "address", url: "https://a.example/mcp" };

export function answerMcpRows({ chat }: TestInstance): void {
  chat
    .answer(listMcpServers, list)
    .answer(reloadMcpServers, list)
    .answer(addMcpServer, { id: 4 })
    .answer(updateMcpServer, { success: true })
    .answer(importMcpServers, { added: ["files"], skipped: [] })
    .answer(toggleMcpServer, done)
    .answer(deleteMcpServer, done)
    .answer(toggleMcpTool, { ...done, suppressedTools: ["read"] })
    .answer(approveMcpTools, { success: true })
    .answer(callMcpTool, { text: "found", fault: null, milliseconds: 5 })
    .answer(listMcpPrompts, { prompts: [prompt] })
    .answer(getMcpPrompt, { text: "Review ticket 17.", leftOut: [] })
    .answer(readMcpLog, { lines: [] })
    .answer(beginMcpSignIn, { url: "https://a.example/authorize", sealed: "v1:x" });
}

export const mcpRows: Row[] = [
  row("chat.mcp-server.list-legacy", ["GET", "/mcp-servers/list"], 200, json, {
    body: { success: true, servers: legacy },
  }),
  row("chat.mcp-server.force-reload", ["GET", "/mcp-servers/force-reload"], 200, json, {
    body: { success: true, error: null, servers: legacy },
  }),
  row("chat.mcp-server.toggle", ["POST", "/mcp-servers/toggle", { name: "files" }], 200, json, {
    body: done,
  }),
  row("chat.mcp-server.delete", ["POST", "/mcp-servers/delete", { name: "files" }], 200, json, {
    body: done,
  }),
  row(
    "chat.mcp-server.toggle-tool",
    ["POST", "/mcp-servers/toggle-tool", { serverName: "files", toolName: "read", enabled: false }],
    200,
    json,
    { body: { ...done, suppressedTools: ["read"] } },
  ),
  // Carrel-specific (docs/decisions/mcp.md).
  row("chat.mcp-server.list", ["GET", "/mcp-servers"], 200, json, { body: list }),
  row("chat.mcp-server.reload", ["POST", "/mcp-servers/reload"], 200, json, { body: list }),
  row("chat.mcp-server.add", ["POST", "/mcp-servers", { name: "tickets", config }], 200, json, {
    body: { id: 4 },
  }),
  row("chat.mcp-server.update", ["PUT", "/mcp-servers/4", { config }], 200, json, {
    body: { success: true },
  }),
  row("chat.mcp-server.import", ["POST", "/mcp-servers/import", { file: "{}" }], 200, json, {
    body: { added: ["files"], skipped: [] },
  }),
  row("chat.mcp-server.approve", ["POST", "/mcp-servers/4/approve", { tools: [] }], 200, json, {
    body: { success: true },
  }),
  row("chat.mcp-server.call", ["POST", "/mcp-servers/4/call", { tool: "read" }], 200, json, {
    body: { text: "found", fault: null, milliseconds: 5 },
  }),
  row("chat.mcp-server.log", ["GET", "/mcp-servers/4/log"], 200, json, { body: { lines: [] } }),
  row("chat.mcp-prompt.list", ["GET", "/workspace/w/mcp-prompts"], 200, json, {
    body: { prompts: [prompt] },
  }),
  row(
    "chat.mcp-prompt.get",
    ["POST", "/workspace/w/mcp-prompts/3", { name: "review", arguments: { ticket: "17" } }],
    200,
    json,
    { body: { text: "Review ticket 17.", leftOut: [] } },
  ),
  row("gateway.mcp-server.start-sign-in", ["POST", "/mcp-servers/4/sign-in"], 200, json, {
    body: { url: "https://a.example/authorize" },
  }),
];
