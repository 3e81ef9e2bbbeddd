import { redirect } from "@tanstack/react-router";
import { requireManager } from "../features/auth/api/guards.ts";
import { readRights } from "../lib/current-user.ts";

/**
 * Managers and admins of an instance with user accounts. Without accounts the page that switches
 * them on opens.
 */
export async function requireTeam(place: Parameters<typeof requireManager>[0]): Promise<void> {
  await requireManager(place);
  if (!readRights().multiUser) throw redirect({ to: "/settings/security" });
}
