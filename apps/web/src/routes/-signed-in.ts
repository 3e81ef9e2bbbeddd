import { useRouter } from "@tanstack/react-router";
import { storeSession, type NewSession } from "../features/auth/api/sign-in.ts";
import { queryClient } from "../lib/query-client.ts";
import { adoptTheme } from "../lib/theme.ts";

/** Keeps a session, forgets what another one had on screen, takes up the theme of the profile. */
export function keepSession(session: NewSession): void {
  queryClient.clear();
  storeSession(session);
  if (session.user?.theme) adoptTheme(session.user.theme);
}

/** Keeps a session and goes on to a place within the app. */
export function useSignedIn(): (session: NewSession, to: string) => void {
  const router = useRouter();
  return (session, to) => {
    keepSession(session);
    void router.navigate({ href: to });
  };
}
