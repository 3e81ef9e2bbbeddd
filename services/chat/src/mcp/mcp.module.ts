import { Module } from "@nestjs/common";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { McpPromptHandler } from "./mcp-prompt.handler.ts";
import { McpServerDeletion } from "./mcp-server-deletion.ts";
import { McpServerHandler } from "./mcp-server.handler.ts";
import { McpServerRepository } from "./mcp-server.repository.ts";
import { McpServers } from "./mcp-servers.ts";
import { McpSignInHandler } from "./mcp-sign-in.handler.ts";

@Module({
  imports: [EventLogModule, SettingModule],
  controllers: [McpPromptHandler, McpServerHandler, McpSignInHandler],
  providers: [McpServerDeletion, McpServerRepository, McpServers],
  exports: [McpServerDeletion, McpServerRepository, McpServers],
})
export class McpModule {}
