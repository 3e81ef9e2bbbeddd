import { CarrelError, type Scope, type WorkspaceScope } from "@carrel/contracts";

/**
 * Returns the scope of an operation that requires a workspace; the guard sets it, so a missing one
 * is the caller's fault.
 */
export function inWorkspace(scope: Scope): WorkspaceScope {
  if (scope.workspace === null) throw new CarrelError("workspace.not-found");
  return { principal: scope.principal, workspace: scope.workspace };
}
