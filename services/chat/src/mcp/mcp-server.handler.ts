import {
  clipText,
  CarrelError,
  addMcpServer,
  approveMcpTools,
  callMcpTool,
  deleteMcpServer,
  importMcpServers,
  listMcpServers,
  mcpServersChanged,
  readMcpLog,
  reloadMcpServers,
  toggleMcpServer,
  toggleMcpTool,
  updateMcpServer,
  type FaultWire,
  type In,
  type McpServerConfig,
  type Out,
} from "@carrel/contracts";
import {
  findTool,
  McpError,
  messageOf,
  readConfigFile,
  resourceToolNames,
  testCall,
  type ListedTool,
} from "@carrel/mcp";
import { Broadcast, Handle, keyed, type RequestContext } from "@carrel/messaging";
import { ToolError } from "@carrel/skills";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { EventLog } from "../event-log/event-log.module.ts";
import { keepSecrets } from "./mcp-secret.ts";
import { McpServerDeletion } from "./mcp-server-deletion.ts";
import { McpServerRepository, type McpServerRow } from "./mcp-server.repository.ts";
import { McpServers } from "./mcp-servers.ts";

const mostServers = 100;
const testMs = 60_000;
const longestText = 20_000;
/** Tools that an entry of the event log names. */
const mostNamed = 50;

/** What went wrong with a test call. */
const faultOf = (error: McpError | CarrelError | ToolError, tool: string): FaultWire => {
  if (error instanceof CarrelError) return error.toFault();
  return error.fault ?? { code: "mcp.tool-failed", params: { tool, reason: messageOf(error) } };
};

/** What admins and existing clients request. */
@Controller()
export class McpServerHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: McpServerRepository,
    private readonly servers: McpServers,
    private readonly broadcast: Broadcast,
    private readonly eventLog: EventLog,
    private readonly deletion: McpServerDeletion,
  ) {}

  @Handle(listMcpServers)
  async list(
    _input: In<typeof listMcpServers>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof listMcpServers>> {
    const [servers, allowsCommands] = await Promise.all([
      this.servers.describe(principal),
      this.servers.allowsCommands(),
    ]);
    return { servers, allowsCommands };
  }

  @Handle(reloadMcpServers)
  async reload(
    input: In<typeof reloadMcpServers>,
    ctx: RequestContext,
  ): Promise<Out<typeof reloadMcpServers>> {
    await this.announce(null);
    return this.list(input, ctx);
  }

  @Handle(addMcpServer)
  async add(
    input: In<typeof addMcpServer>,
    ctx: RequestContext,
  ): Promise<Out<typeof addMcpServer>> {
    await this.requireAllowed(input.config);
    const { userId } = ctx.scope.principal;
    const reply = await keyed(this.dataSource, ctx, async (manager) => {
      const { name, enabled, autoStart } = input;
      const id = await this.repository.add(
        manager,
        {
          name,
          enabled,
          autoStart,
          ownerId: input.isPersonal ? userId : null,
          config: keepSecrets(input.config, null),
          suppressed: [],
        },
        mostServers,
      );
      await this.eventLog.record(manager, ctx.scope, "mcp_server_added", { name });
      return { id };
    });
    await this.announce(reply.id);
    return reply;
  }

  @Handle(updateMcpServer)
  async update(
    { id, config, enabled, autoStart }: In<typeof updateMcpServer>,
    { scope }: RequestContext,
  ): Promise<Out<typeof updateMcpServer>> {
    await this.requireAllowed(config);
    const row = await this.repository.find(scope.principal, id);
    const filled = keepSecrets(config, row.config);
    await this.dataSource.transaction(async (manager) => {
      await this.repository.update(
        manager,
        id,
        { config: filled, enabled, autoStart },
        isOther(row.config, filled),
      );
      await this.eventLog.record(manager, scope, "mcp_server_updated", { name: row.name });
    });
    await this.announce(id);
    return { success: true };
  }

  @Handle(importMcpServers)
  async import(
    { file }: In<typeof importMcpServers>,
    { scope }: RequestContext,
  ): Promise<Out<typeof importMcpServers>> {
    const added: string[] = [];
    const skipped: { name: string; fault: FaultWire }[] = [];
    for (const { name, server, reason } of readConfigFile(file).slice(0, mostServers)) {
      try {
        if (server === null) throw new CarrelError("mcp.file-invalid", { reason });
        await this.requireAllowed(server.config);
        await this.dataSource.transaction(async (manager) => {
          await this.repository.add(
            manager,
            {
              name: server.name,
              enabled: true,
              autoStart: server.autoStart,
              ownerId: null,
              config: keepSecrets(server.config, null),
              suppressed: server.suppressedTools,
            },
            mostServers,
          );
          await this.eventLog.record(manager, scope, "mcp_server_added", { name: server.name });
        });
        added.push(server.name);
      } catch (error) {
        if (!(error instanceof CarrelError)) throw error;
        skipped.push({ name: clipText(name, 200), fault: error.toFault() });
      }
    }
    if (added.length > 0) await this.announce(null, false);
    return { added, skipped };
  }

  @Handle(toggleMcpServer)
  async toggle(
    { name, enabled }: In<typeof toggleMcpServer>,
    { scope }: RequestContext,
  ): Promise<Out<typeof toggleMcpServer>> {
    const row = await this.repository.find(scope.principal, name);
    const isEnabled = enabled ?? !row.enabled;
    await this.dataSource.transaction(async (manager) => {
      await this.repository.setEnabled(manager, row.id, isEnabled);
      const event = isEnabled ? "mcp_server_started" : "mcp_server_stopped";
      await this.eventLog.record(manager, scope, event, { name: row.name });
    });
    await this.announce(row.id);
    return { success: true, error: null };
  }

  @Handle(deleteMcpServer)
  async delete(
    { name }: In<typeof deleteMcpServer>,
    { scope }: RequestContext,
  ): Promise<Out<typeof deleteMcpServer>> {
    const row = await this.repository.find(scope.principal, name);
    await this.deletion.delete(row, (manager) =>
      this.eventLog.record(manager, scope, "mcp_server_deleted", { name: row.name }),
    );
    return { success: true, error: null };
  }

  @Handle(toggleMcpTool)
  async toggleTool(
    { serverName, toolName, enabled, hash }: In<typeof toggleMcpTool>,
    { scope }: RequestContext,
  ): Promise<Out<typeof toggleMcpTool>> {
    const row = await this.repository.find(scope.principal, serverName);
    // Existing clients don't say what they have read.
    const named = this.servers.listed(row.id).filter(({ name }) => name === toolName);
    const isCarrels = named.length === 0 && resourceToolNames.some((name) => name === toolName);
    const approved =
      !enabled || isCarrels
        ? []
        : hash === undefined
          ? named
          : await this.findRead(row, [{ name: toolName, hash }]);
    const suppressedTools = await this.dataSource.transaction(async (manager) => {
      if (approved.length > 0) await this.repository.approve(manager, row.id, approved);
      const event = enabled ? "mcp_tool_enabled" : "mcp_tool_disabled";
      await this.eventLog.record(manager, scope, event, { name: row.name, tool: toolName });
      return this.repository.suppress(manager, row.id, toolName, !enabled);
    });
    return { success: true, error: null, suppressedTools };
  }

  @Handle(approveMcpTools)
  async approve(
    { id, tools }: In<typeof approveMcpTools>,
    { scope }: RequestContext,
  ): Promise<Out<typeof approveMcpTools>> {
    const row = await this.repository.find(scope.principal, id);
    const approved = await this.findRead(row, tools);
    await this.dataSource.transaction(async (manager) => {
      await this.repository.approve(manager, id, approved);
      await this.eventLog.record(manager, scope, "mcp_tools_approved", {
        name: row.name,
        tools: approved.slice(0, mostNamed).map(({ name }) => name),
        count: approved.length,
      });
    });
    return { success: true };
  }

  @Handle(callMcpTool)
  async call(
    { id, tool, input }: In<typeof callMcpTool>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof callMcpTool>> {
    const row = await this.repository.find(principal, id);
    const startedAt = Date.now();
    const done = (text: string, fault: FaultWire | null): Out<typeof callMcpTool> => ({
      text: clipText(text, longestText),
      fault,
      milliseconds: Date.now() - startedAt,
    });
    try {
      const connection = await this.servers.connect(row);
      const found = findTool(connection, tool);
      if (found === null) throw new CarrelError("mcp.tool-not-found", { server: row.name, tool });
      return done(await testCall(found, input, testMs), null);
    } catch (error) {
      if ((error as { name?: unknown }).name === "TimeoutError") {
        const params = { server: row.name, tool, seconds: testMs / 1_000 };
        return done("", { code: "mcp.call-timed-out", params });
      }
      const isKnown =
        error instanceof McpError || error instanceof CarrelError || error instanceof ToolError;
      if (!isKnown) throw error;
      return done(error instanceof ToolError ? error.message : "", faultOf(error, tool));
    }
  }

  @Handle(readMcpLog)
  async log(
    { id }: In<typeof readMcpLog>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof readMcpLog>> {
    const row = await this.repository.find(principal, id);
    return { lines: this.servers.readLog(row.id) };
  }

  /**
   * The tools that an admin has read, which may have been another process's listing. Throws
   * `mcp.tools-changed` unless this one lists the same.
   */
  private async findRead(
    row: McpServerRow,
    read: readonly { name: string; hash: string }[],
  ): Promise<ListedTool[]> {
    // Not listed if it can't be reached, which its health says.
    await this.servers.connect(row).catch((error: unknown) => {
      if (!(error instanceof McpError)) throw error;
    });
    const listed = this.servers.listed(row.id);
    return read.map(({ name, hash }) => {
      const tool = listed.find((each) => each.name === name && each.hash === hash);
      if (tool === undefined) throw new CarrelError("mcp.tools-changed", { server: row.name });
      return tool;
    });
  }

  private async requireAllowed({ kind }: McpServerConfig): Promise<void> {
    if (kind === "command" && !(await this.servers.allowsCommands()))
      throw new CarrelError("mcp.commands-disabled");
  }

  private async announce(id: number | null, reconnect = true): Promise<void> {
    await this.broadcast.invalidate(mcpServersChanged, { id, reconnect });
  }
}

/** Whether it is another server now, rather than the same one with other secrets. */
function isOther(before: McpServerConfig | null, after: McpServerConfig): boolean {
  if (before?.kind !== after.kind) return true;
  if (before.kind === "address") return before.url !== (after as typeof before).url;
  const { command, args } = after as typeof before;
  return before.command !== command || JSON.stringify(before.args) !== JSON.stringify(args);
}
