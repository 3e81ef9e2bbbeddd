import { redirect } from "@tanstack/react-router";
import i18next from "i18next";
import { readRights } from "../../../lib/current-user.ts";
import { toast } from "../../../lib/toast.ts";
import { inspectSession } from "./auth-state.ts";

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

/** Tells people why they are back on the home page, and whom to ask. */
export const explainRefusal = (who: "manager" | "admin"): void =>
  toast.info(i18next.t(`onlyFor.${who}`));

/** For the wizard itself: admits those who may change what it asks for. Redirects others home. */
export async function requireOperator(args: RouteArgs): Promise<void> {
  await requireSignIn(args);
  if (!readRights().admin) throw redirect({ to: "/" });
}

/** Allows every role except default, and anyone in single-user mode. Redirects others home. */
export async function requireManager(args: RouteArgs): Promise<void> {
  await requireSession(args);
  if (readRights().manager) return;
  explainRefusal("manager");
  throw redirect({ to: "/" });
}

/** Allows role admin, and anyone in single-user mode. Redirects others home. */
export async function requireAdmin(args: RouteArgs): Promise<void> {
  await requireSession(args);
  if (readRights().admin) return;
  explainRefusal("admin");
  throw redirect({ to: "/" });
}
