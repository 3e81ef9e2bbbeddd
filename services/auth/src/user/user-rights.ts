import { roles, type Principal, type Role } from "@carrel/contracts";
import type { User } from "./user.entity.ts";

/** The messages match the product whose clients we support (wire-contract 1.5 and 7). */
export const noUser = "User not found";
const untouchable = "Cannot perform that action on user.";
const roleNotYours = "Invalid role selection for user.";
export const noAdminLeft = "No system admins will remain if you do this. Update failed.";

const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);

/**
 * Managers may manage all users except admins; admins and API keys may manage everyone. Returns the
 * refusal message, or null.
 */
export function refuseManaging(actor: Principal, target: Pick<User, "role">): string | null {
  return actor.role === "admin" || (actor.role === "manager" && target.role !== "admin")
    ? null
    : untouchable;
}

/** Managers may assign the roles default and manager. Returns the refusal message, or null. */
export function refuseRole(actor: Principal, role: string): string | null {
  if (actor.role !== "admin" && role !== "manager" && role !== "default") return roleNotYours;
  return isRole(role) ? null : "Invalid role. Allowed roles are: default, admin, manager";
}

/** Whether the target is the only admin who can sign in; `admins` are the ids of those who can. */
export function isLastAdmin(admins: readonly number[], target: Pick<User, "id">): boolean {
  return admins.length === 1 && admins[0] === target.id;
}
