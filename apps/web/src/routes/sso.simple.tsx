import { Link, createFileRoute, redirect } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { buttonStyles } from "../components/ui/button.tsx";
import { Notice } from "../components/ui/notice.tsx";
import { requestSessionByToken } from "../features/auth/api/sign-in.ts";
import { AuthFrame } from "../features/auth/components/auth-frame.tsx";
import { describeFault, loadFaultTexts, parseFault } from "../lib/fault.ts";
import { destinationOf, startSession } from "./-guards.ts";

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

/** Explains why single sign-on failed. */
function SsoPage({ message, logo }: { message: string; logo?: ReactNode }) {
  const { t } = useTranslation("auth");
  return (
    <AuthFrame title={t("sso.title")} logo={logo}>
      <Notice kind="bad">
        <p>
          <b>{message}</b>
        </p>
        <p>{t("sso.contact")}</p>
      </Notice>
      <Link
        className={buttonStyles({ size: "lg", className: "w-full" })}
        to="/login"
        search={{ nt: 1 }}
      >
        {t("backToLogin")}
      </Link>
    </AuthFrame>
  );
}
