import { useRouter } from "@tanstack/react-router";
import { storeSession, type NewSession } from "../features/auth/api/sign-in.ts";
import { destinationOf } from "../lib/destination.ts";
import { queryClient } from "../lib/query-client.ts";
import { adoptTheme } from "../lib/theme.ts";

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
