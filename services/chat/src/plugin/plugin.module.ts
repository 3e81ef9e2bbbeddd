import { Module } from "@nestjs/common";
import { AttachmentModule } from "../attachment/attachment.module.ts";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { PluginFolders } from "./plugin-folders.ts";
import { PluginInstaller } from "./plugin-installer.ts";
import { PluginTools } from "./plugin-tools.ts";
import { PluginValues } from "./plugin-values.ts";
import { PluginHandler } from "./plugin.handler.ts";
import { PluginRepository } from "./plugin.repository.ts";

@Module({
  // It has the blob store.
  imports: [AttachmentModule, EventLogModule],
  controllers: [PluginHandler],
  providers: [PluginFolders, PluginInstaller, PluginRepository, PluginTools, PluginValues],
  exports: [PluginRepository, PluginTools],
})
export class PluginModule {}
