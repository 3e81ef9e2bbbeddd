import {
  addMcpServer,
  approveMcpTools,
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
  type McpPromptWire,
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
  prompts: McpPromptWire[] = [];
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
    if (this.handlePrompts(call)) return true;
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

  /** Those that `fillPrompts` adds answer with their arguments. */
  private handlePrompts(call: FakeCall): boolean {
    const { path, body, reply, json } = call;
    const at = matcher(call);
    if (at("GET", /^\/workspace\/[^/]+\/mcp-prompts$/))
      return answered(reply(listMcpPrompts, { prompts: this.prompts }));
    if (!at("POST", /^\/workspace\/[^/]+\/mcp-prompts\/\d+$/)) return false;
    this.sent.push({ path, body });
    const { ticket, tone = "kindly" } = body.arguments as Record<string, string>;
    if (body.name === "manual")
      return answered(
        json({ error: "manual is 240 kB long. A message can have at most 200 kB." }, 502),
      );
    if (ticket === "0")
      return answered(
        json({ error: "tickets refused the prompt review: There is no ticket 0." }, 502),
      );
    return answered(
      body.name === "review"
        ? reply(getMcpPrompt, {
            text: `Review ticket ${ticket} ${tone}.\n\n<b>Be short.</b>`,
            leftOut: ["image/png", "file:///plan.bin"],
          })
        : reply(getMcpPrompt, { text: "What should I do today?", leftOut: [] }),
    );
  }

  fillPrompts(): void {
    const prompt = (name: string, more: Partial<McpPromptWire> = {}): McpPromptWire => ({
      serverId: 1,
      server: "tickets",
      name,
      title: null,
      description: "",
      arguments: [],
      ...more,
    });
    this.prompts = [
      prompt("review", {
        title: "Review a ticket",
        description: "Asks for a review of one ticket, with what was tried.",
        arguments: [
          { name: "ticket", title: "Ticket", description: "Its number.", isRequired: true },
          { name: "tone", title: null, description: "", isRequired: false },
        ],
      }),
      prompt("today", { description: "Plans the day." }),
      prompt("manual"),
    ];
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
