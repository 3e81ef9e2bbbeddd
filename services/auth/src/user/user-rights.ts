import { CarrelError, roles, type Principal, type Role } from "@carrel/contracts";
import type { User } from "./user.entity.ts";

const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);

/**
 * Managers may manage all users except admins; admins and API keys may manage everyone. Returns the
 * refusal, or null.
 */
export function refuseManaging(actor: Principal, target: Pick<User, "role">): CarrelError | null {
  return actor.role === "admin" || (actor.role === "manager" && target.role !== "admin")
    ? null
    : new CarrelError("user.untouchable");
}

/** Managers may assign the roles default and manager. Returns the refusal, or null. */
export function refuseRole(actor: Principal, role: string): CarrelError | null {
  if (actor.role !== "admin" && role !== "manager" && role !== "default")
    return new CarrelError("user.role-not-assignable");
  return isRole(role) ? null : new CarrelError("user.role-unknown");
}

/** Whether the target is the only admin who can sign in; `admins` are the ids of those who can. */
export function isLastAdmin(admins: readonly number[], target: Pick<User, "id">): boolean {
  return admins.length === 1 && admins[0] === target.id;
}
