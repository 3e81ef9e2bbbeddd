import type { Principal } from "@carrel/contracts";
import type { FlowPorts, Tool } from "@carrel/skills";
import { Injectable } from "@nestjs/common";
import { FlowTools } from "../flow/flow-tools.ts";
import { McpServers } from "../mcp/mcp-servers.ts";

/** The tools that admins have added: flows, then those of MCP servers. */
@Injectable()
export class AddedTools {
  constructor(
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
    const flows = await this.flows.list(principal, ports, isTaken);
    const names = new Set(flows.map(({ name }) => name));
    const listed = await this.mcpServers.listTools(principal, isWanted);
    return [...flows, ...listed.filter(({ name }) => !isTaken(name) && !names.has(name))];
  }
}
