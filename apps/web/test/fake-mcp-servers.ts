import {
  addMcpServer,
  approveMcpTools,
  callMcpTool,
  deleteMcpServer,
  importMcpServers,
  listMcpServers,
  readMcpLog,
  reloadMcpServers,
  toggleMcpServer,
  toggleMcpTool,
  updateMcpServer,
  type McpServerWire,
  type McpToolWire,
} from "@carrel/contracts";
import { answered, matcher, type FakeCall } from "./fake-call.ts";

const tool = (name: string, description: string, more: Partial<McpToolWire> = {}): McpToolWire => ({
  name,
  callName: `tickets-${name}`,
  title: null,
  description,
  inputSchema: {
    type: "object",
    properties: { query: { type: "string" } },
    required: ["query"],
  },
  isSchemaReplaced: false,
  isReadOnly: false,
  state: "offered",
  hash: `hash of ${name}`,
  approvedDescription: null,
  ...more,
});

const server = (id: number, name: string, more: Partial<McpServerWire>): McpServerWire => ({
  id,
  name,
  config: { kind: "address", url: "https://mcp.example.com/mcp", transport: "auto", headers: {} },
  enabled: true,
  autoStart: true,
  isPersonal: false,
  state: "connected",
  fault: null,
  version: "2026-07-28",
  pid: null,
  connectedAt: "2026-11-01T08:00:00.000Z",
  signIn: "none",
  suppressedTools: [],
  tools: [],
  resources: 0,
  prompts: 0,
  ...more,
});

/** MCP servers of the fake gateway; none at first. */
export class FakeMcpServers {
  servers: McpServerWire[] = [];
  allowsCommands = true;
  /** Bodies and paths of mutating requests, in order. */
  readonly sent: { path: string; body: Record<string, unknown> }[] = [];

  fill(): void {
    this.servers = [
      server(1, "tickets", {
        config: {
          kind: "address",
          url: "https://mcp.example.com/mcp",
          transport: "auto",
          headers: { Authorization: "********" },
        },
        tools: [
          tool("search", "Finds tickets by their words.", { isReadOnly: true }),
          tool("close", "Closes a ticket, and deletes its attachments.", {
            state: "changed",
            approvedDescription: "Closes a ticket.",
          }),
          tool("reopen", "Reopens a ticket.", { state: "new" }),
          tool("comment", "Comments on a ticket.", { state: "suppressed" }),
        ],
      }),
      server(2, "files", {
        config: {
          kind: "command",
          command: "npx",
          args: ["-y", "server-filesystem"],
          env: { TOKEN: "********" },
        },
        state: "failed",
        fault: { code: "mcp.exited", params: { server: "files" } },
        version: null,
        connectedAt: null,
      }),
      server(3, "calendar", {
        state: "failed",
        fault: { code: "mcp.sign-in-required", params: { server: "calendar" } },
        signIn: "required",
        isPersonal: true,
      }),
    ];
  }

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const { method, path, body, reply } = call;
    if (!/^\/mcp-servers(\/|$)/.test(path)) return false;
    const at = matcher(call);
    if (method !== "GET") this.sent.push({ path, body });
    const id = Number(path.split("/")[2]);
    const list = { servers: this.servers, allowsCommands: this.allowsCommands };
    const done = { success: true, error: null };
    if (at("GET", /^\/mcp-servers$/)) return answered(reply(listMcpServers, list));
    if (at("POST", /\/reload$/)) return answered(reply(reloadMcpServers, list));
    if (at("POST", /^\/mcp-servers$/)) {
      const added = body as Pick<McpServerWire, "name" | "config">;
      this.servers = [...this.servers, server(9, added.name, { config: added.config })];
      return answered(reply(addMcpServer, { id: 9 }));
    }
    if (at("POST", /\/import$/)) {
      this.servers = [...this.servers, server(8, "imported", {})];
      return answered(
        reply(importMcpServers, {
          added: ["imported"],
          skipped: [
            { name: "tickets", fault: { code: "mcp.name-taken", params: { name: "tickets" } } },
          ],
        }),
      );
    }
    if (at("POST", /\/toggle$/)) {
      this.change(String(body.name), { enabled: Boolean(body.enabled), state: "stopped" });
      return answered(reply(toggleMcpServer, done));
    }
    if (at("POST", /\/delete$/)) {
      this.servers = this.servers.filter(({ name }) => name !== body.name);
      return answered(reply(deleteMcpServer, done));
    }
    if (at("POST", /\/toggle-tool$/)) {
      this.changeTools(
        ({ name }) => name === body.toolName,
        body.enabled ? "offered" : "suppressed",
      );
      return answered(reply(toggleMcpTool, { ...done, suppressedTools: [] }));
    }
    if (at("POST", /\/approve$/)) {
      const read = body.tools as { name: string; hash: string }[];
      this.changeTools((tool) => read.some(({ hash }) => hash === tool.hash), "offered");
      return answered(reply(approveMcpTools, { success: true }));
    }
    if (at("POST", /\/call$/))
      return answered(
        reply(callMcpTool, { text: "Ticket 17: Pump is loud", fault: null, milliseconds: 12 }),
      );
    if (at("PUT", /^\/mcp-servers\/\d+$/))
      return answered(reply(updateMcpServer, { success: true }));
    return answered(
      reply(readMcpLog, {
        lines: [
          { at: "2026-11-01T08:00:00.000Z", text: `Server ${id} is starting` },
          { at: "2026-11-01T08:00:01.000Z", text: "cannot find the database" },
        ],
      }),
    );
  }

  private change(name: string, more: Partial<McpServerWire>): void {
    this.servers = this.servers.map((each) => (each.name === name ? { ...each, ...more } : each));
  }

  private changeTools(isMeant: (tool: McpToolWire) => boolean, state: McpToolWire["state"]): void {
    this.servers = this.servers.map((each) => ({
      ...each,
      tools: each.tools.map((one) => (isMeant(one) ? { ...one, state } : one)),
    }));
  }
}
