import { Module } from "@nestjs/common";
import { WorkspaceChanges } from "./workspace-changes.ts";
import { WorkspaceRepository } from "./workspace.repository.ts";

@Module({
  providers: [WorkspaceChanges, WorkspaceRepository],
  exports: [WorkspaceChanges, WorkspaceRepository],
})
export class WorkspaceModule {}
