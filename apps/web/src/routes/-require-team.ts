import { redirect } from "@tanstack/react-router";
import { requireManager } from "../features/auth/api/auth-state.ts";
import { readRights } from "../lib/current-user.ts";

/**
 * Allows managers and admins on an instance with user accounts. Without accounts, redirects to the
 * page that turns them on.
 */
export async function requireTeam(place: Parameters<typeof requireManager>[0]): Promise<void> {
  await requireManager(place);
  if (!readRights().multiUser) throw redirect({ to: "/settings/security" });
}
