import { Module } from "@nestjs/common";
import { WorkspaceChanges } from "./workspace-changes.ts";
import { WorkspaceReadRepository } from "./workspace-read.repository.ts";
import { WorkspaceRepository } from "./workspace.repository.ts";

@Module({
  providers: [WorkspaceChanges, WorkspaceReadRepository, WorkspaceRepository],
  exports: [WorkspaceChanges, WorkspaceReadRepository, WorkspaceRepository],
})
export class WorkspaceModule {}
