import { redirect } from "@tanstack/react-router";
import { readRights } from "../../../lib/current-user.ts";
import { checkSession } from "./auth-state.ts";

/** What a route's `beforeLoad` is given. */
interface Place {
  location: { href: string };
}

/** The general guard: a session, or the way to sign in and back. */
export async function requireSession({ location }: Place): Promise<void> {
  if ((await checkSession()) === "unauthenticated")
    throw redirect({ to: "/login", search: location.href === "/" ? {} : { to: location.href } });
}

/** Every role but default; anyone in single-user mode. Others go home. */
export async function requireManager(place: Place): Promise<void> {
  await requireSession(place);
  if (!readRights().manager) throw redirect({ to: "/" });
}

/** Role admin; anyone in single-user mode. Others go home. */
export async function requireAdmin(place: Place): Promise<void> {
  await requireSession(place);
  if (!readRights().admin) throw redirect({ to: "/" });
}
