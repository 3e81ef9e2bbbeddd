import { CarrelError, type Scope, type WorkspaceScope } from "@carrel/contracts";

/**
 * The scope of an operation that works in a workspace; the guard has set it, so its absence is a
 * fault of the caller.
 */
export function inWorkspace(scope: Scope): WorkspaceScope {
  if (scope.workspace === null)
    throw new CarrelError("WORKSPACE_NOT_FOUND", "Workspace does not exist.");
  return { principal: scope.principal, workspace: scope.workspace };
}
