import type { Principal } from "@carrel/contracts";
import type { FlowPorts, Tool } from "@carrel/skills";
import { Injectable } from "@nestjs/common";
import { FlowTools } from "../flow/flow-tools.ts";
import { McpServers } from "../mcp/mcp-servers.ts";
import { PluginTools } from "../plugin/plugin-tools.ts";

/** The tools that admins have added: plugins, flows, then those of MCP servers. */
@Injectable()
export class AddedTools {
  constructor(
    private readonly plugins: PluginTools,
    private readonly flows: FlowTools,
    private readonly mcpServers: McpServers,
  ) {}

  /** @param isWanted whether a tool was switched on for the session */
  async list(
    principal: Principal,
    ports: Pick<FlowPorts, "content" | "model" | "search">,
    isTaken: (name: string) => boolean,
    isWanted: (name: string) => boolean,
  ): Promise<Tool[]> {
    // Their names are fixed (wire-contract 5.7), unlike those of flows.
    const plugins = await this.plugins.list(principal, ports.content, isTaken);
    const names = new Set(plugins.map(({ name }) => name));
    const flows = await this.flows.list(
      principal,
      ports,
      (name) => isTaken(name) || names.has(name),
    );
    for (const { name } of flows) names.add(name);
    const listed = await this.mcpServers.listTools(principal, isWanted);
    return [
      ...plugins,
      ...flows,
      ...listed.filter(({ name }) => !isTaken(name) && !names.has(name)),
    ];
  }
}
