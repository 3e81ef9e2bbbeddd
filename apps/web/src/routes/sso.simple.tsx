import { createFileRoute, redirect } from "@tanstack/react-router";
import { requestSessionByToken } from "../features/auth/api/sign-in.ts";
import { SsoPage } from "../features/auth/components/sso-page.tsx";
import { destinationOf } from "../lib/destination.ts";
import { describeFault, loadFaultTexts, parseFault } from "../lib/fault.ts";
import { startSession } from "./-signed-in.ts";

/** The router parses query values as JSON, so a token of digits arrives as a number. */
const text = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

export const Route = createFileRoute("/sso/simple")({
  validateSearch: (
    search: Record<string, unknown>,
  ): { token?: string; redirectTo?: string; fault?: string } => ({
    ...(search.token === undefined ? {} : { token: text(search.token) }),
    ...(search.redirectTo === undefined ? {} : { redirectTo: text(search.redirectTo) }),
    ...(search.fault === undefined
      ? {}
      : { fault: typeof search.fault === "string" ? search.fault : JSON.stringify(search.fault) }),
  }),
  loaderDeps: ({ search }) => search,
  // The token works only once, so redeem it in the loader and never during rendering.
  loader: async ({ deps }) => {
    if (deps.fault || !deps.token) {
      await loadFaultTexts();
      const fault = deps.fault
        ? parseFault(deps.fault)
        : { code: "sign-in.token-missing", params: {} };
      return { message: describeFault(fault, 401) };
    }
    const outcome = await requestSessionByToken(deps.token);
    if ("message" in outcome) return outcome;
    startSession(outcome.session);
    throw redirect({ href: destinationOf(deps.redirectTo), replace: true });
  },
  staleTime: Infinity,
  preload: false,
  component: function Sso() {
    return <SsoPage message={Route.useLoaderData().message} />;
  },
});
