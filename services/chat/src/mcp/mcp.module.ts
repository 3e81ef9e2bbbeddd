import { Module } from "@nestjs/common";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { McpServerDeletion } from "./mcp-server-deletion.ts";
import { McpServerHandler } from "./mcp-server.handler.ts";
import { McpServerRepository } from "./mcp-server.repository.ts";
import { McpServers } from "./mcp-servers.ts";
import { McpSignInHandler } from "./mcp-sign-in.handler.ts";

@Module({
  imports: [EventLogModule],
  controllers: [McpServerHandler, McpSignInHandler],
  providers: [McpServerDeletion, McpServerRepository, McpServers],
  exports: [McpServerDeletion, McpServerRepository, McpServers],
})
export class McpModule {}
