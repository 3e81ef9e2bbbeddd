import { findWorkspacePicture, setWorkspacePicture, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { requireWorkspace, unknownWorkspace } from "../access/workspace-rights.ts";
import { WorkspaceChanges, WorkspaceModule } from "../workspace/workspace-read.repository.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";

/** Stores which picture a workspace has; the gateway handles the blob. */
@Controller()
class PictureHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly workspaces: WorkspaceRepository,
    private readonly changes: WorkspaceChanges,
  ) {}

  @Handle(findWorkspacePicture)
  async find(
    _input: In<typeof findWorkspacePicture>,
    { scope }: RequestContext,
  ): Promise<Out<typeof findWorkspacePicture>> {
    const workspace = await this.workspaces.find(requireWorkspace(scope));
    if (workspace === null) throw unknownWorkspace();
    return { key: workspace.pictureKey };
  }

  @Handle(setWorkspacePicture)
  async set(
    { key }: In<typeof setWorkspacePicture>,
    context: RequestContext,
  ): Promise<Out<typeof setWorkspacePicture>> {
    const scope = requireWorkspace(context.scope);
    const previous = await this.dataSource.transaction(async (manager) => {
      const workspace = await this.workspaces.lock(scope, manager);
      if (workspace === null) throw unknownWorkspace();
      // A redelivery sets the same key again, which frees no blob.
      if (workspace.pictureKey === key) return null;
      await this.workspaces.update(scope, manager, { pictureKey: key });
      await this.changes.record(manager, workspace.id);
      return workspace.pictureKey;
    });
    await this.changes.announce(scope.workspace.id);
    return { previous };
  }
}

@Module({
  imports: [WorkspaceModule],
  controllers: [PictureHandler],
})
export class PictureModule {}
