import type { FaultWire, McpServerWire, McpToolState, McpToolWire } from "@carrel/contracts";
import type { ListedTool, McpConnection } from "@carrel/mcp";
import type { Tool } from "@carrel/skills";
import { maskSecrets } from "./mcp-secret.ts";
import type { McpServerRow } from "./mcp-server.repository.ts";

/** A server, and its tools as models call them. */
export interface NamedServer {
  row: McpServerRow;
  connection: McpConnection | null;
  listed: { tool: ListedTool; callName: string }[];
  /** Ours, by their names before they are made unique. */
  resources: { name: string; tool: Tool }[];
}

export function stateOf({ suppressed, approved }: McpServerRow, tool: ListedTool): McpToolState {
  if (suppressed.includes(tool.name)) return "suppressed";
  if (approved === null || !Object.hasOwn(approved, tool.name)) return "new";
  return approved[tool.name]!.hash === tool.hash ? "offered" : "changed";
}

/** Tools for its resources go with a server's own: nothing is used if all of these are switched off. */
export function stateOfResources(
  { suppressed }: McpServerRow,
  tools: readonly ListedTool[],
  name: string,
): McpToolState {
  const isOff = tools.length > 0 && tools.every((tool) => suppressed.includes(tool.name));
  return isOff || suppressed.includes(name) ? "suppressed" : "offered";
}

export function describeServer(
  { row, connection, listed, resources }: NamedServer,
  obstacle: FaultWire | null,
): McpServerWire {
  const fault = obstacle ?? connection?.error?.fault ?? null;
  return {
    id: row.id,
    name: row.name,
    config: row.config === null ? null : maskSecrets(row.config),
    enabled: row.enabled,
    autoStart: row.autoStart,
    isPersonal: row.ownerId !== null,
    state: !row.enabled ? "stopped" : obstacle === null ? (connection?.state ?? "idle") : "failed",
    fault,
    version: connection?.version ?? null,
    pid: connection?.pid ?? null,
    connectedAt: connection?.connectedAt?.toISOString() ?? null,
    signIn: fault?.code === "mcp.sign-in-required" ? "required" : row.isSignedIn ? "done" : "none",
    suppressedTools: row.suppressed,
    tools: [
      ...listed.map(({ tool, callName }) => describeTool(row, tool, callName)),
      ...resources.map(({ name, tool }) => ({
        name,
        callName: tool.name,
        title: null,
        description: tool.description,
        inputSchema: { ...tool.input },
        isSchemaReplaced: false,
        isReadOnly: tool.effect === "none",
        state: stateOfResources(row, connection?.tools ?? [], name),
        // Carrel's own, which nobody needs to approve.
        hash: "",
        approvedDescription: null,
      })),
    ],
    resources: connection?.extras.resources ?? 0,
    prompts: connection?.extras.prompts.length ?? 0,
  };
}

function describeTool(row: McpServerRow, tool: ListedTool, callName: string): McpToolWire {
  const state = stateOf(row, tool);
  return {
    name: tool.name,
    callName,
    title: tool.title,
    description: tool.description,
    inputSchema: { ...tool.schema },
    isSchemaReplaced: tool.isSchemaReplaced,
    isReadOnly: tool.isReadOnly,
    state,
    hash: tool.hash,
    approvedDescription:
      state === "changed" ? (row.approved?.[tool.name]?.description ?? null) : null,
  };
}
