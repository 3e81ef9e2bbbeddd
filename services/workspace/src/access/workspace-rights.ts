import { CarrelError, type Scope, type WorkspaceScope } from "@carrel/contracts";

/**
 * Managers, admins, the instance's own session, API keys and Carrel itself use and manage every
 * workspace; everyone else those they are a member of.
 */
export function managesAll({ principal }: Scope): boolean {
  if (principal.kind === "user" || principal.kind === "extension")
    return principal.role === "manager" || principal.role === "admin";
  return principal.kind === "instance" || principal.kind === "key" || principal.kind === "service";
}

/** The contracts' policies say it too; here it holds whoever calls. */
export function requireManager(scope: Scope): void {
  if (!managesAll(scope))
    throw new CarrelError("FORBIDDEN", "Workspaces and their members are for managers.");
}

export function requireService(scope: Scope): void {
  if (scope.principal.kind !== "service")
    throw new CarrelError("FORBIDDEN", "Only Carrel itself does this.");
}

/** Unknown and foreign give this one answer. */
export const unknownWorkspace = (): CarrelError =>
  new CarrelError("WORKSPACE_NOT_FOUND", "Workspace does not exist.");

export function requireWorkspace(scope: Scope): WorkspaceScope {
  if (scope.workspace === null) throw unknownWorkspace();
  return { ...scope, workspace: scope.workspace };
}

/** Ids that a row can have; others would not even reach a query. */
export const rowIds = (ids: readonly number[]): number[] =>
  [...new Set(ids)].filter((id) => Number.isInteger(id) && id > 0 && id <= 2_147_483_647);
