import { defineService, type ServiceDefinition } from "@carrel/runtime";
import { workspaceDatabase } from "./workspace.database.ts";
import { workspaceShape } from "./workspace.config.ts";
import { WorkspaceServiceModule } from "./workspace.module.ts";

/** The service for workspaces and the instance's settings. */
export const workspaceService: ServiceDefinition = defineService({
  name: "workspace",
  module: WorkspaceServiceModule,
  database: workspaceDatabase,
  shape: workspaceShape,
});
