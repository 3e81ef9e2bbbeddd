import type { QueryClient } from "@tanstack/react-query";
import { notFound, redirect, useRouter } from "@tanstack/react-router";
import { refuse, requireManager } from "../features/auth/api/auth-state.ts";
import { storeSession, type NewSession } from "../features/auth/api/sign-in.ts";
import { isWorkspaceTab, memberTabs } from "../features/workspace-settings/state/tabs.ts";
import { memberRightsQuery, readRights } from "../lib/current-user.ts";
import { queryClient } from "../lib/query-client.ts";
import { adoptTheme } from "../lib/theme.ts";
import { workspacesQuery } from "../lib/workspaces.ts";

const longest = 2_048;
/** Sign-in pages: going there afterwards would loop or pass on someone else's token. */
const signInPages = /^\/(login|sso|accept-invite|api)(\/|$)/;

/**
 * Where to go after signing in, from an untrusted address (`to`, `redirectTo`): its path, query and
 * fragment if it is within this app, else the home page. Other origins in any spelling, `//host`,
 * backslashes and schemes never leave the app. Call it where the address is used: the router also
 * passes on search parameters that a route's validation left out.
 */
export function destinationOf(value: unknown): string {
  if (typeof value !== "string" || !value.startsWith("/") || value.length > longest) return "/";
  if (!URL.canParse(value, location.origin)) return "/";
  const { origin, pathname, search, hash } = new URL(value, location.origin);
  const leaves = origin !== location.origin || pathname.startsWith("//");
  return leaves || signInPages.test(pathname) ? "/" : `${pathname}${search}${hash}`;
}

/** Stores a session, clears the previous one's data and applies the profile's theme. */
export function startSession(session: NewSession): void {
  queryClient.clear();
  storeSession(session);
  if (session.user?.theme) adoptTheme(session.user.theme);
}

/** Stores a session, then navigates to a path within the app. */
export function useSignedIn(): (session: NewSession, to: string) => void {
  const router = useRouter();
  return (session, to) => {
    startSession(session);
    void router.navigate({ href: destinationOf(to) });
  };
}

/**
 * Allows managers and admins on an instance with user accounts. Without accounts, redirects to the
 * page that turns them on.
 */
export async function requireTeam(place: Parameters<typeof requireManager>[0]): Promise<void> {
  await requireManager(place);
  if (!readRights().multiUser) throw redirect({ to: "/settings/security" });
}

/**
 * Admits members to the settings of workspaces they have created. Those of workspaces that they
 * aren't in look like missing ones.
 */
export async function requireManagedWorkspace(
  queryClient: QueryClient,
  { workspaceSlug, tab }: { workspaceSlug: string; tab: string },
): Promise<void> {
  if (readRights().manager) return;
  const [{ ownWorkspaces }, { workspaces }] = await Promise.all([
    queryClient.ensureQueryData(memberRightsQuery),
    queryClient.ensureQueryData(workspacesQuery),
  ]);
  const workspace = workspaces.find(({ slug }) => slug === workspaceSlug);
  if (!workspace) throw notFound();
  if (!ownWorkspaces.includes(workspace.id)) throw refuse("workspacePage");
  if (isWorkspaceTab(tab) && !memberTabs.includes(tab)) throw refuse("managerPage");
}

/** 404 for an unknown workspace; refetches the list in case it was created a moment ago. */
export async function requireWorkspace(queryClient: QueryClient, slug: string): Promise<void> {
  const isKnown = ({ workspaces }: { workspaces: { slug: string }[] }): boolean =>
    workspaces.some((workspace) => workspace.slug === slug);
  if (isKnown(await queryClient.ensureQueryData(workspacesQuery))) return;
  if (!isKnown(await queryClient.fetchQuery({ ...workspacesQuery, staleTime: 0 })))
    throw notFound();
}
