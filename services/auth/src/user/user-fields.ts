import { hash } from "node:crypto";
import {
  CarrelError,
  clipText,
  roles,
  type Principal,
  type Role,
  type UserWire,
} from "@carrel/contracts";
import { knownLanguage } from "@carrel/contracts/languages";
import { z } from "zod";
import type { User } from "./user.entity.ts";
import type { UserChange } from "./user.repository.ts";

/** Normalises a user name typed into a login form; null if it cannot belong to any user. */
export function typedUsername(typed: string | undefined): string | null {
  const name = (typed ?? "").trim().toLowerCase();
  // PostgreSQL cannot store NUL, and no name contains control characters or lone surrogates.
  return name === "" || /[\p{Cc}\p{Cs}]/u.test(name) ? null : name;
}

/** For the event log, which stores no control characters. */
export const printableName = (typed: string | undefined): string =>
  clipText((typed ?? "").replaceAll(/[\p{Cc}\p{Cs}]/gu, "\ufffd"), 64);

/** Questions per 24 hours; null means unlimited. */
export const quotaOf = (user: User): number | null =>
  user.role === "admin" ? null : user.dailyMessageLimit;

/** For the principal: the profile's language, if it is one of ours. */
export function languageOf({ language }: Pick<User, "language">): Pick<Principal, "language"> {
  const known = knownLanguage(language);
  return known === null ? {} : { language: known };
}

const shortest = 2;
const longest = 64;

/**
 * Why a user name is refused, or null: 2 to 64 lower-case letters,
 * digits, underscores and hyphens. Names from an OpenID provider may be email addresses, so `.` and
 * `@` are allowed too. The rule applies when names are set or changed; existing names from
 * elsewhere are kept.
 */
export function refuseUsername(
  name: string,
  options: { fromOpenId?: boolean } = {},
): CarrelError | null {
  if (name.length < shortest) return new CarrelError("user.name-too-short", { limit: shortest });
  if (name.length > longest) return new CarrelError("user.name-too-long", { limit: longest });
  if (options.fromOpenId === true)
    return /^[a-z0-9._@-]+$/.test(name) ? null : new CarrelError("user.name-characters-openid");
  return /^[a-z0-9_-]+$/.test(name) ? null : new CarrelError("user.name-characters");
}

/**
 * Changes with the picture, so that clients request the new one; reveals nothing about where it is
 * stored.
 */
const pictureName = (user: Pick<User, "id" | "pictureKey">): string | null =>
  user.pictureKey === null
    ? null
    : `${user.id}-${hash("sha256", user.pictureKey, "hex").slice(0, 8)}.webp`;

/** A user as clients see it: never a hash, a sealed secret or a blob key. */
export const mapUser = (user: User): UserWire => ({
  id: user.id,
  username: user.username,
  pfpFilename: pictureName(user),
  role: user.role,
  suspended: user.suspended ? 1 : 0,
  seen_recovery_codes: user.seenRecoveryCodes,
  createdAt: user.createdAt.toISOString(),
  lastUpdatedAt: user.updatedAt.toISOString(),
  dailyMessageLimit: user.dailyMessageLimit,
  bio: user.bio,
  email: user.email,
  theme: user.theme,
  userLang: user.language,
  secondFactor: user.secondFactorSince !== null,
});

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
function refuseRole(actor: Principal, role: string): CarrelError | null {
  if (actor.role !== "admin" && role !== "manager" && role !== "default")
    return new CarrelError("user.role-not-assignable");
  return isRole(role) ? null : new CarrelError("user.role-unknown");
}

/** Whether the target is the only admin who can sign in; `admins` are the ids of those who can. */
export function isLastAdmin(admins: readonly number[], target: Pick<User, "id">): boolean {
  return admins.length === 1 && admins[0] === target.id;
}

/**
 * User fields of a form; absent and null leave a field unchanged, except that null removes the
 * limit.
 */
export interface UserFields {
  username?: string | null | undefined;
  role?: string | null | undefined;
  bio?: string | null | undefined;
  dailyMessageLimit?: number | null | undefined;
  suspended?: boolean | undefined;
  /** An empty text removes it. */
  email?: string | null | undefined;
}
const longestBio = 1000;
const emailAddress = z.email().max(254);

/** Why a bio is refused, or null. */
export const refuseBio = (bio: string): CarrelError | null =>
  [...bio].length > longestBio ? new CarrelError("user.bio-too-long") : null;

const refuseLimit = (limit: number): CarrelError | null =>
  Number.isInteger(limit) && limit >= 1 && limit <= 2_147_483_647
    ? null
    : new CarrelError("user.message-limit-invalid");

/** Trimmed and lower case; null if empty. */
const normalEmail = (email: string): string | null => email.trim().toLowerCase() || null;

/**
 * Returns the validated columns to write; throws the first refusal. Only values that differ from `current` must
 * follow the rules for names, roles and addresses, so older names are kept. Only admins may set an
 * address, because accounts are linked by it.
 */
export function planUserChange(
  actor: Principal,
  fields: UserFields,
  current: User | null,
): UserChange {
  const change: UserChange = {};
  const { username, role, bio, dailyMessageLimit, suspended } = fields;
  const email = typeof fields.email === "string" ? normalEmail(fields.email) : undefined;
  const refusals: (CarrelError | null)[] = [];
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
      if (actor.role !== "admin") refusals.push(new CarrelError("user.email-admin-only"));
      else if (email !== null && !emailAddress.safeParse(email).success)
        refusals.push(new CarrelError("user.email-invalid"));
    }
  }
  const refusal = refusals.find((each) => each !== null);
  if (refusal) throw refusal;
  return change;
}

const rights = ["username", "role", "suspended", "dailyMessageLimit", "email"] as const;

/**
 * For the event log: changes to a user's rights and identity, with old and new values. Empty if
 * there are none.
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
