import { setWorkspaceParameters, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { requireWorkspace, unknownWorkspace } from "../access/workspace-rights.ts";
import { WorkspaceChanges } from "../workspace/workspace-changes.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";

/** How a workspace's model answers. */
@Controller()
export class AnswerParameterHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly workspaces: WorkspaceRepository,
    private readonly changes: WorkspaceChanges,
  ) {}

  @Handle(setWorkspaceParameters)
  async set(
    { parameters }: In<typeof setWorkspaceParameters>,
    context: RequestContext,
  ): Promise<Out<typeof setWorkspaceParameters>> {
    const scope = requireWorkspace(context.scope);
    await this.dataSource.transaction(async (manager) => {
      if ((await this.workspaces.lock(scope, manager)) === null) throw unknownWorkspace();
      await this.workspaces.update(scope, manager, { answerParameters: parameters });
      await this.changes.record(manager, scope.workspace.id);
    });
    await this.changes.announce(scope.workspace.id);
    return { success: true };
  }
}
