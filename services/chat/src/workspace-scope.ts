import { CarrelError, type Scope, type WorkspaceScope } from "@carrel/contracts";

/**
 * Returns the scope of an operation that requires a workspace; the guard sets it, so a missing one
 * is the caller's fault.
 */
export function inWorkspace({ principal, workspace, language }: Scope): WorkspaceScope {
  if (workspace === null) throw new CarrelError("workspace.not-found");
  return { principal, workspace, ...(language && { language }) };
}
