import { checkExtension, type Out } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { Route, type Call } from "../http/route.ts";
import { WorkspaceList } from "../workspace/workspace-list.ts";

/**
 * The workspaces a browser extension sees: those the owner of its key may use (wire-contract 10).
 */
@Injectable()
export class ExtensionRoutes {
  constructor(private readonly workspaceList: WorkspaceList) {}

  @Route(checkExtension)
  async check({ scope }: Call<typeof checkExtension>): Promise<Out<typeof checkExtension>> {
    return {
      connected: true,
      workspaces: await this.workspaceList.read(scope),
      apiKeyId: scope.principal.keyId ?? 0,
    };
  }
}
