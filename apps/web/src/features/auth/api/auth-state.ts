import { checkToken } from "@carrel/contracts";
import { redirect } from "@tanstack/react-router";
import i18next from "i18next";
import type { ClosedDoorName } from "../../../components/ui/closed-door-reason.tsx";
import { ApiError, call } from "../../../lib/api.ts";
import { readRights, refreshCurrentUser, storeCurrentUser } from "../../../lib/current-user.ts";
import {
  clearSession,
  keys,
  needsCheck,
  readStored,
  readToken,
  writeStored,
} from "../../../lib/session-storage.ts";
import { fetchSetup } from "../../../lib/setup.ts";
import { toast } from "../../../lib/toast.ts";

export type AuthMode = "multi" | "single" | "none";
export type AuthState = "authenticated" | "unauthenticated";

/** How to sign in to this instance; readable without a session. */
export interface SignInOptions {
  multiUser: boolean;
  requiresAuth: boolean;
  /** Nobody has set it up yet (specification 1, section 2). */
  isNew: boolean;
  /** Button label for the OpenID provider; null if there is none. */
  openIdName: string | null;
  /** Password login is disabled: single sign-on only. */
  noLogin: boolean;
  /** Where people without a session are redirected in that case. */
  noLoginRedirect: string | null;
}

export function authMode(): AuthMode {
  if (!readToken()) return "none";
  return readStored(keys.user) ? "multi" : "single";
}

/**
 * Validates the token and refreshes the stored user. Only a refusal means that it is invalid: if
 * there is no reply, nothing is known about the token.
 */
async function isTokenValid(multiUser: boolean): Promise<boolean> {
  if (!readToken()) return false;
  try {
    await call(checkToken, {}, { expects401: true });
    return !multiUser || (await refreshCurrentUser({ expects401: true }));
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return false;
    throw error;
  }
}

const text = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

async function fetchSignInOptions(): Promise<SignInOptions> {
  const { results } = await fetchSetup({ expects401: true });
  const multiUser = results.MultiUserMode === true;
  const requiresAuth = results.RequiresAuth === true;
  return {
    multiUser,
    requiresAuth,
    isNew: !multiUser && !requiresAuth && !results.LLMProvider && !results.VectorDB,
    openIdName: multiUser ? text(results.OpenIDName) : null,
    noLogin: multiUser && results.SimpleSSONoLogin === true,
    noLoginRedirect: text(results.SimpleSSONoLoginRedirect),
  };
}

/**
 * Whether this browser has a session. Single-user mode without a password always has one; with a
 * password the stored token must be valid; multi-user mode needs both a stored user and token. A
 * failed check clears storage. `signInOptions` is null while the last check is still fresh and the
 * instance was not asked, which a new instance always is.
 */
export async function inspectSession(
  options: { force?: boolean; now?: number } = {},
): Promise<{ state: AuthState; signInOptions: SignInOptions | null }> {
  const now = options.now ?? Date.now();
  if (!options.force && !needsCheck(now)) return { state: "authenticated", signInOptions: null };
  const signInOptions = await fetchSignInOptions();
  const { multiUser, requiresAuth } = signInOptions;
  if (!multiUser) storeCurrentUser(null);
  const open = !multiUser && !requiresAuth;
  const isValid =
    open || ((!multiUser || authMode() === "multi") && (await isTokenValid(multiUser)));
  if (!isValid) {
    clearSession();
    return { state: "unauthenticated", signInOptions };
  }
  if (!signInOptions.isNew) writeStored(keys.timestamp, String(now));
  return { state: "authenticated", signInOptions };
}

export const checkSession = async (
  options: { force?: boolean; now?: number } = {},
): Promise<AuthState> => (await inspectSession(options)).state;

/** The argument of a route's `beforeLoad`. */
interface RouteArgs {
  location: { href: string };
}

/** Redirects to sign-in and back; true if the instance is still new. */
async function requireSignIn({ location }: RouteArgs): Promise<boolean> {
  const { state, signInOptions } = await inspectSession();
  if (state === "unauthenticated")
    throw redirect({ to: "/login", search: location.href === "/" ? {} : { to: location.href } });
  return signInOptions?.isNew === true;
}

/**
 * Requires a session, or redirects to sign-in and back afterwards; a new instance to its wizard.
 */
export async function requireSession(args: RouteArgs): Promise<void> {
  if (await requireSignIn(args)) throw redirect({ to: "/onboarding" });
}

/** Thrown by a guard: takes people to the home page, and tells them why and whom to ask. */
export function refuse(door: ClosedDoorName): Error {
  void import("../../../lib/closed-texts.ts").then(() =>
    toast.info(i18next.t(door, { ns: "closed" })),
  );
  return redirect({ to: "/" }) as unknown as Error;
}

/** For the wizard itself: admits those who may change what it asks for. */
export async function requireOperator(args: RouteArgs): Promise<void> {
  await requireSignIn(args);
  if (!readRights().admin) throw refuse("adminPage");
}

/** Allows every role except default, and anyone in single-user mode. */
export async function requireManager(args: RouteArgs): Promise<void> {
  await requireSession(args);
  if (!readRights().manager) throw refuse("managerPage");
}

/** Allows role admin, and anyone in single-user mode. */
export async function requireAdmin(args: RouteArgs): Promise<void> {
  await requireSession(args);
  if (!readRights().admin) throw refuse("adminPage");
}
