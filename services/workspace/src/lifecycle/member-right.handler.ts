import { getMemberRights, memberRights, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { managesAll } from "../access/workspace-rights.ts";
import { AllowedModelReader } from "../preference/allowed-model-reader.ts";
import { MemberRightReader } from "../preference/member-right-reader.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";

/** What admins allow members, for the app and the gateway's guard. */
@Controller()
export class MemberRightHandler {
  constructor(
    private readonly rights: MemberRightReader,
    private readonly models: AllowedModelReader,
    private readonly workspaces: WorkspaceRepository,
  ) {}

  @Handle(getMemberRights)
  async list(
    _input: In<typeof getMemberRights>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getMemberRights>> {
    // The guard asks as Carrel itself, for all members.
    const isAll = scope.principal.kind !== "service" && managesAll(scope);
    if (isAll) return { rights: [...memberRights], choosesModels: true, ownWorkspaces: [] };
    const [rights, choosesModels] = await Promise.all([
      this.rights.read(),
      this.models.mayMembersChoose(),
    ]);
    const ownWorkspaces = rights.includes("createWorkspaces")
      ? await this.workspaces.listOwn(scope)
      : [];
    return { rights, choosesModels, ownWorkspaces };
  }
}
