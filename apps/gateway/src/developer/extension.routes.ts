import {
  CarrelError,
  checkExtension,
  embedExtensionText,
  findWorkspaces,
  saveExtensionText,
  type In,
  type Out,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { WorkspaceScopes } from "../access/workspace-scopes.ts";
import { DocumentWait, unreadable } from "../document/document-wait.ts";
import { Route, type Call } from "../http/route.ts";
import { WorkspaceList } from "../workspace/workspace-list.ts";
import { RawTexts } from "./raw-texts.ts";

/**
 * What a browser extension does for the owner of its key, in the workspaces they may use
 * (wire-contract 10).
 */
@Injectable()
export class ExtensionRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly workspaceList: WorkspaceList,
    private readonly workspaces: WorkspaceScopes,
    private readonly texts: RawTexts,
    private readonly wait: DocumentWait,
  ) {}

  @Route(checkExtension)
  async check({ scope }: Call<typeof checkExtension>): Promise<Out<typeof checkExtension>> {
    return {
      connected: true,
      workspaces: await this.workspaceList.read(scope),
      apiKeyId: scope.principal.keyId ?? 0,
    };
  }

  @Route(saveExtensionText)
  save(call: Call<typeof saveExtensionText>): Promise<Out<typeof saveExtensionText>> {
    checkManager(call.scope);
    return this.add(call, call.scope, call.input);
  }

  @Route(embedExtensionText)
  async embed(call: Call<typeof embedExtensionText>): Promise<Out<typeof embedExtensionText>> {
    checkManager(call.scope);
    const { workspaceId, ...text } = call.input;
    return this.add(call, await this.findWorkspace(call.scope, workspaceId), text);
  }

  /** Waits until the text is in the library or, in a workspace, searchable. */
  private async add(
    { request, signal }: Pick<Call, "request" | "signal">,
    scope: Scope,
    text: In<typeof saveExtensionText>,
  ): Promise<{ success: boolean }> {
    const register = await this.texts.store(text, scope, request.id);
    const { state, reason } = await this.wait.forNew(register, scope, signal);
    if (state === "failed") throw unreadable(reason);
    return { success: true };
  }

  private async findWorkspace(scope: Scope, id: number): Promise<WorkspaceScope> {
    const { workspaces } = await this.requests.request(findWorkspaces, { ids: [id] }, { scope });
    return this.workspaces.resolve(scope.principal, workspaces[0]?.slug);
  }
}

/** Keys are made by managers, who may have become regular users since. */
function checkManager({ principal: { role } }: Scope): void {
  if (role !== "manager" && role !== "admin") throw new CarrelError("access.forbidden");
}
