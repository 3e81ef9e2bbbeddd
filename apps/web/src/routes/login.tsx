import { createFileRoute, redirect } from "@tanstack/react-router";
import { inspectSession } from "../features/auth/api/auth-state.ts";
import { LoginPage } from "../features/auth/components/login-page.tsx";
import { useCustomName } from "../lib/brand.ts";
import { destinationOf, useSignedIn } from "./-guards.ts";

export const Route = createFileRoute("/login")({
  // Hand-written: routes are in the first page's bundle, and a schema library for two fields would
  // make up a fifth of it.
  validateSearch: (search: Record<string, unknown>): { nt?: 1; to?: string } => {
    const to = destinationOf(search.to);
    return {
      ...(Number(search.nt) === 1 ? { nt: 1 as const } : {}),
      ...(to === "/" ? {} : { to }),
    };
  },
  beforeLoad: async ({ search }) => {
    const { state, signInOptions } = await inspectSession({ force: search.nt === 1 });
    if (state === "authenticated" || !signInOptions)
      throw redirect({ href: destinationOf(search.to) });
    if (signInOptions.noLogin && /^https?:/i.test(signInOptions.noLoginRedirect ?? ""))
      throw redirect({ href: signInOptions.noLoginRedirect ?? "/" });
    return { signInOptions };
  },
  component: Login,
});

function Login() {
  const to = destinationOf(Route.useSearch().to);
  const { signInOptions } = Route.useRouteContext();
  const signedIn = useSignedIn();
  const name = useCustomName();
  return (
    <LoginPage
      signInOptions={signInOptions}
      name={name}
      redirectTo={to}
      onSession={(session) => signedIn(session, to)}
    />
  );
}
