import { defineService, type ServiceDefinition } from "@carrel/runtime";
import { workspaceDatabase } from "./database/workspace-database.ts";
import { presetShape } from "./setting/setting-preset.ts";
import { WorkspaceServiceModule } from "./workspace-service.module.ts";

/** The service for workspaces and the instance's settings. */
export const workspaceService: ServiceDefinition = defineService({
  name: "workspace",
  module: WorkspaceServiceModule,
  database: workspaceDatabase,
  shape: presetShape,
});
