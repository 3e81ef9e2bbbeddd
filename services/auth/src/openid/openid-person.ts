import type { InstanceConfig } from "@carrel/config";
import { clipText, type Role } from "@carrel/contracts";
import { z } from "zod";
import { refuseUsername } from "../user/user-fields.ts";

export type Claims = Readonly<Record<string, unknown>>;

/** A person authenticated by the provider, independent of its claim names. */
export interface OpenIdPerson {
  issuer: string;
  subject: string;
  /** Lower case; null unless the provider states that it verified the address. */
  email: string | null;
  /** User names to try, best first, already reduced to the allowed characters. */
  usernames: string[];
  /** Values of the role claim; null if the provider sends no such claim. */
  roleValues: string[] | null;
}

const longestUsername = 64;
const address = z.email().max(255);

const text = (claims: Claims, name: string): string | null => {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
};

/**
 * Reads a claim by name or by a dotted path into objects; a name that contains dots
 * (`https://example.org/roles`) is tried first.
 */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Whether `userinfo` may add something the id token lacks. */
export function isIncomplete(idToken: Claims, roleClaim: string | undefined): boolean {
  return (
    text(idToken, "email") === null ||
    idToken.email_verified === undefined ||
    (roleClaim !== undefined && claimAt(idToken, roleClaim) === undefined)
  );
}

/**
 * An address counts only if at least one source says that it is verified and none that has the same
 * address says otherwise.
 */
function verifiedEmail(sources: readonly Claims[]): string | null {
  const email = sources
    .map((source) => text(source, "email"))
    .find((found) => found !== null)
    ?.toLowerCase();
  if (email === undefined || !address.safeParse(email).success) return null;
  const words = sources
    .filter((source) => text(source, "email")?.toLowerCase() === email)
    .map((source) => source.email_verified)
    .filter((word) => word !== undefined);
  return words.length > 0 && words.every((word) => word === true) ? email : null;
}

/**
 * Strips diacritics from Latin letters, turns whitespace into hyphens and removes all other
 * characters that are not allowed.
 */
export function normaliseUsername(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .trim()
    .replaceAll(/\s+/gu, "-")
    .replaceAll(/[^a-z0-9._@-]/g, "");
  return clipText(plain.replaceAll(/^[.@-]+/g, ""), longestUsername).replaceAll(/[.@-]+$/g, "");
}

/** Returns `base`, then `base-2` and so on, never longer than a user name may be. */
export function numberedUsername(base: string, number: number): string {
  const suffix = number < 2 ? "" : `-${number}`;
  return base.slice(0, longestUsername - suffix.length) + suffix;
}

/** Claims of the id token take precedence; `userinfo` (null: not requested) fills gaps. Pure. */
export function readPerson(
  idToken: Claims & { iss: string; sub: string },
  userinfo: Claims | null,
  roleClaim: string | undefined,
): OpenIdPerson {
  const sources = userinfo === null ? [idToken] : [idToken, userinfo];
  const first = (name: string): string | null =>
    sources.map((source) => text(source, name)).find((found) => found !== null) ?? null;
  const email = verifiedEmail(sources);
  const roleValue =
    roleClaim === undefined
      ? undefined
      : sources.map((source) => claimAt(source, roleClaim)).find((value) => value !== undefined);
  // An unverified address could impersonate its owner.
  const usernames = [first("preferred_username"), email, first("name")].flatMap((name) =>
    name === null ? [] : [normaliseUsername(name)],
  );
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email,
    usernames: [
      ...usernames.filter((name) => refuseUsername(name, { fromOpenId: true }) === null),
      "user",
    ],
    roleValues:
      roleValue === undefined || roleValue === null
        ? null
        : (Array.isArray(roleValue) ? roleValue : [roleValue]).filter(
            (value): value is string => typeof value === "string",
          ),
  };
}

type RoleSettings = Pick<
  InstanceConfig,
  | "CARREL_OIDC_ROLE_CLAIM"
  | "CARREL_OIDC_ADMIN_VALUES"
  | "CARREL_OIDC_MANAGER_VALUES"
  | "CARREL_OIDC_USER_VALUES"
>;

/**
 * Maps the role claim to a role, to `refused` (user values are configured and none matches), or to
 * null if the claim does not decide: none is configured, or no value grants admin or manager, so
 * that it only controls access.
 */
export function decideRole(
  person: Pick<OpenIdPerson, "roleValues">,
  settings: RoleSettings,
): Role | "refused" | null {
  if (settings.CARREL_OIDC_ROLE_CLAIM === undefined) return null;
  const has = (values: readonly string[]): boolean =>
    values.some((value) => person.roleValues?.includes(value) === true);
  if (has(settings.CARREL_OIDC_ADMIN_VALUES)) return "admin";
  if (has(settings.CARREL_OIDC_MANAGER_VALUES)) return "manager";
  if (settings.CARREL_OIDC_USER_VALUES.length > 0 && !has(settings.CARREL_OIDC_USER_VALUES))
    return "refused";
  return settings.CARREL_OIDC_ADMIN_VALUES.length + settings.CARREL_OIDC_MANAGER_VALUES.length === 0
    ? null
    : "default";
}
