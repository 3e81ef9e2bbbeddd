import {
  CarrelError,
  findUsers,
  findWorkspaces,
  getAuthSettings,
  instancePrincipal,
  resolveWorkspace,
  servicePrincipal,
  type KnownFault,
  type Principal,
  type Scope,
} from "@carrel/contracts";
import { knownLanguage } from "@carrel/contracts/languages";
import { RequestClient } from "@carrel/messaging";
import { Injectable, Module } from "@nestjs/common";

/** `fault` says why there is no scope. */
type OwnerScope = { scope: Scope; fault: null } | { scope: null; fault: KnownFault };

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };
const refused = (code: `owner.${"missing" | "suspended" | "workspace-missing"}`): OwnerScope => ({
  scope: null,
  fault: { code },
});

/** The current rights of owners, for what runs while they aren't there. */
@Injectable()
export class OwnerScopes {
  constructor(private readonly requests: RequestClient) {}

  /**
   * Asks auth and workspace each time. Throws only if they can't be reached, which says nothing
   * about the owner.
   *
   * @param ownerId null: the one person of an instance without accounts
   * @param workspaceId null: none is needed
   */
  async find(ownerId: number | null, workspaceId: number | null): Promise<OwnerScope> {
    const owner = await this.findPrincipal(ownerId);
    if (typeof owner === "string") return refused(owner);
    const { language } = owner;
    const own: Scope = { principal: owner, workspace: null, ...(language && { language }) };
    if (workspaceId === null) return { scope: own, fault: null };
    const scope = await this.findWorkspace(owner, workspaceId);
    return scope === null
      ? refused("owner.workspace-missing")
      : { scope: { ...own, ...scope }, fault: null };
  }

  private async findPrincipal(
    ownerId: number | null,
  ): Promise<Principal | "owner.missing" | "owner.suspended"> {
    const asked = { scope: serviceScope };
    const [{ MultiUserMode }, { users }] = await Promise.all([
      this.requests.request(getAuthSettings, {}, asked),
      ownerId === null
        ? { users: [] }
        : this.requests.request(findUsers, { ids: [ownerId] }, asked),
    ]);
    if (ownerId === null) return MultiUserMode ? "owner.missing" : instancePrincipal;
    const [user] = users;
    if (!MultiUserMode || user === undefined) return "owner.missing";
    if (user.suspended === true) return "owner.suspended";
    const { role, dailyMessageLimit = null } = user;
    const language = knownLanguage(user.language);
    return {
      kind: "user",
      userId: ownerId,
      role,
      ...(role !== "admin" && dailyMessageLimit !== null && { dailyMessageLimit }),
      ...(language !== null && { language }),
    };
  }

  private async findWorkspace(principal: Principal, id: number): Promise<Scope | null> {
    const asked = { scope: { principal, workspace: null } };
    const { workspaces } = await this.requests.request(findWorkspaces, { ids: [id] }, asked);
    const [workspace] = workspaces;
    if (workspace === undefined) return null;
    try {
      const { slug } = workspace;
      const { scope } = await this.requests.request(resolveWorkspace, { slug }, asked);
      // Another one may have taken its name in the meantime.
      return scope.workspace?.id === id ? scope : null;
    } catch (error) {
      if (error instanceof CarrelError && error.kind === "WORKSPACE_NOT_FOUND") return null;
      throw error;
    }
  }
}

@Module({
  providers: [OwnerScopes],
  exports: [OwnerScopes],
})
export class OwnerModule {}
