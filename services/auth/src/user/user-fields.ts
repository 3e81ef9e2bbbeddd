import type { Principal } from "@carrel/contracts";
import { z } from "zod";
import { refuseRole } from "./user-rights.ts";
import { refuseUsername } from "./username.ts";
import type { User } from "./user.entity.ts";
import type { UserChange } from "./user.repository.ts";

/**
 * What a form says about a user; absent and null leave a field as it is, except for the limit,
 * which null takes away.
 */
export interface UserFields {
  username?: string | null | undefined;
  role?: string | null | undefined;
  bio?: string | null | undefined;
  dailyMessageLimit?: number | null | undefined;
  suspended?: boolean | undefined;
  /** An empty text takes it away. */
  email?: string | null | undefined;
}
const longestBio = 1000;
const emailAddress = z.email().max(254);

/** Words for the person, or null when the biography is fine. */
export const refuseBio = (bio: string): string | null =>
  [...bio].length > longestBio ? "Bio cannot be longer than 1,000 characters" : null;

const refuseLimit = (limit: number): string | null =>
  Number.isInteger(limit) && limit >= 1 && limit <= 2_147_483_647
    ? null
    : "Daily message limit must be null or a number greater than or equal to 1";

/** Trimmed, in lower case; null for none. */
const normalEmail = (email: string): string | null => email.trim().toLowerCase() || null;

/**
 * The columns to write, checked, or why not. Only what differs from `current` must obey the rules
 * of names, roles and
 * addresses: who has an older name keeps it. An address is an admin's to set, because accounts are
 * linked by it.
 */
export function planUserChange(
  actor: Principal,
  fields: UserFields,
  current: User | null,
): { change: UserChange } | { refusal: string } {
  const change: UserChange = {};
  const { username, role, bio, dailyMessageLimit, suspended } = fields;
  const email = typeof fields.email === "string" ? normalEmail(fields.email) : undefined;
  const refusals: (string | null)[] = [];
  if (typeof username === "string" && username !== "") {
    change.username = username;
    if (username !== current?.username) refusals.push(refuseUsername(username));
  }
  if (typeof role === "string") {
    change.role = role as User["role"];
    if (role !== current?.role) refusals.push(refuseRole(actor, role));
  }
  if (typeof bio === "string") {
    change.bio = bio;
    refusals.push(refuseBio(bio));
  }
  if (dailyMessageLimit !== undefined) {
    change.dailyMessageLimit = dailyMessageLimit;
    refusals.push(dailyMessageLimit === null ? null : refuseLimit(dailyMessageLimit));
  }
  if (suspended !== undefined) change.suspended = suspended;
  if (email !== undefined) {
    change.email = email;
    if (email !== (current?.email ?? null)) {
      if (actor.role !== "admin") refusals.push("Only admins change email addresses.");
      else if (email !== null && !emailAddress.safeParse(email).success)
        refusals.push("Email address is not valid.");
    }
  }
  const refusal = refusals.find((each) => each !== null);
  return refusal === undefined ? { change } : { refusal: refusal! };
}

const rights = ["username", "role", "suspended", "dailyMessageLimit", "email"] as const;

/**
 * For the event log: what of a user's rights and identity changed, from what to what. Empty when
 * nothing did.
 */
export function describeChange(
  before: User,
  change: UserChange,
): Record<string, { from: unknown; to: unknown }> {
  return Object.fromEntries(
    rights
      .filter((key) => change[key] !== undefined && change[key] !== before[key])
      .map((key) => [key, { from: before[key], to: change[key] }]),
  );
}
