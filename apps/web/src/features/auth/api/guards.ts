import { redirect } from "@tanstack/react-router";
import { readRights } from "../../../lib/current-user.ts";
import { checkSession } from "./auth-state.ts";

/** The argument of a route's `beforeLoad`. */
interface RouteArgs {
  location: { href: string };
}

/** Requires a session, or redirects to sign-in and back afterwards. */
export async function requireSession({ location }: RouteArgs): Promise<void> {
  if ((await checkSession()) === "unauthenticated")
    throw redirect({ to: "/login", search: location.href === "/" ? {} : { to: location.href } });
}

/** Allows every role except default, and anyone in single-user mode. Redirects others home. */
export async function requireManager(args: RouteArgs): Promise<void> {
  await requireSession(args);
  if (!readRights().manager) throw redirect({ to: "/" });
}

/** Allows role admin, and anyone in single-user mode. Redirects others home. */
export async function requireAdmin(args: RouteArgs): Promise<void> {
  await requireSession(args);
  if (!readRights().admin) throw redirect({ to: "/" });
}
