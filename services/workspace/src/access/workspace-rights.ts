import {
  CarrelError,
  hasMemberRight,
  memberRefusals,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";

/**
 * Whether the caller uses and manages every workspace: managers, admins, the instance's own
 * session, API keys and Carrel itself. Everyone else only uses workspaces they are a member of.
 */
export function managesAll({ principal }: Scope): boolean {
  if (principal.kind === "user" || principal.kind === "extension")
    return principal.role === "manager" || principal.role === "admin";
  return principal.kind === "instance" || principal.kind === "key" || principal.kind === "service";
}

/** Repeats the contracts' policies, so that no caller can bypass them. */
export function requireManager(scope: Scope): void {
  if (!managesAll(scope)) throw new CarrelError("access.forbidden");
}

/** Allows managers, and members who may create workspaces: new ones, and those they created. */
export function requireOwner(scope: Scope): void {
  if (!managesAll(scope) && !hasMemberRight(scope, "createWorkspaces"))
    throw new CarrelError(
      scope.principal.kind === "user" ? memberRefusals.createWorkspaces : "access.forbidden",
    );
}

export function requireService(scope: Scope): void {
  if (scope.principal.kind !== "service") throw new CarrelError("access.forbidden");
}

/**
 * The same error for unknown and inaccessible workspaces, so that callers can't distinguish them.
 */
export const unknownWorkspace = (): CarrelError => new CarrelError("workspace.not-found");

export function requireWorkspace(scope: Scope): WorkspaceScope {
  if (scope.workspace === null) throw unknownWorkspace();
  return { ...scope, workspace: scope.workspace };
}

/** Filters out ids that no row can have and that PostgreSQL would reject. */
export const rowIds = (ids: readonly number[]): number[] =>
  [...new Set(ids)].filter((id) => Number.isInteger(id) && id > 0 && id <= 2_147_483_647);
