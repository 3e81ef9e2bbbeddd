import { CarrelError, servicePrincipal, type Scope, type WorkspaceScope } from "@carrel/contracts";

/** The scope in which Carrel itself works on a workspace. */
export const serviceScope = (workspaceId: number): WorkspaceScope => ({
  principal: servicePrincipal,
  workspace: { id: workspaceId, slug: "" },
});

/** Narrows a scope to one with a workspace. Throws WORKSPACE_NOT_FOUND. */
export function requireWorkspace(scope: Scope): WorkspaceScope {
  if (scope.workspace === null) throw new CarrelError("workspace.not-found");
  return { ...scope, workspace: scope.workspace };
}
