import type { QueryClient } from "@tanstack/react-query";
import {
  Link,
  Outlet,
  createRootRouteWithContext,
  type ErrorComponentProps,
} from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonStyles } from "../components/ui/button.tsx";
import { Logo } from "../components/ui/logo.tsx";
import { refreshLogo, refreshName, refreshPageTitle } from "../features/branding/api/branding.ts";
import { ApiError } from "../lib/api.ts";
import { useBrandingVersion } from "../lib/brand.ts";
import { asError, errorMessage } from "../lib/fault.ts";
import { lazyPart } from "../lib/lazy-part.ts";
import { useTheme } from "../lib/theme.ts";
import { onToastNeeded } from "../lib/toast.ts";

const Toasts = lazyPart(() => import("../components/ui/toasts.tsx"));

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  errorComponent: Failed,
  notFoundComponent: Missing,
});

function Root() {
  const [toasts, setToasts] = useState(false);
  const [painted, setPainted] = useState(false);
  useEffect(() => onToastNeeded(() => setToasts(true)), []);
  useEffect(() => {
    // Name and logo load last, after the page's own requests.
    const timer = setTimeout(() => setPainted(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <Outlet />
      {painted && <BrandingRefresher />}
      {toasts && (
        <Suspense>
          <Toasts />
        </Suspense>
      )}
    </>
  );
}

const wholePage =
  "mx-auto grid min-h-dvh max-w-140 place-content-center justify-items-start gap-3 p-6";

function Failed({ error: thrown, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  const error = asError(thrown);
  const offline = error instanceof ApiError && (error.status === 0 || error.status >= 500);
  return (
    <main className={wholePage} role="alert">
      <Logo height={24} />
      <h1 className="text-xl font-semibold">{offline ? t("offline") : t("unexpected")}</h1>
      <p className="text-fg-2">
        {offline ? t("offlineHelp", { message: error.message }) : t("unexpectedHelp")}
      </p>
      {!offline && (
        <pre className="font-mono text-[0.93em] [font-feature-settings:normal] text-xs text-fg-3 whitespace-pre-wrap">
          {error.message}
        </pre>
      )}
      <Button
        variant="primary"
        onClick={() => {
          reset();
          location.reload();
        }}
      >
        {t("retry")}
      </Button>
    </main>
  );
}

/** Missing and foreign pages look the same. */
function Missing() {
  const { t } = useTranslation();
  return (
    <main className={wholePage}>
      <Logo height={24} />
      <h1 className="text-xl font-semibold">{t("notFound")}</h1>
      <Link className={buttonStyles({ variant: "primary" })} to="/">
        {t("home")}
      </Link>
    </main>
  );
}

/**
 * Keeps the instance's name and logo current: after the first paint, on theme changes, and when
 * they change on the server. Renders nothing.
 */
function BrandingRefresher() {
  const theme = useTheme();
  const version = useBrandingVersion();
  // On failure the page keeps the current branding; the next visit retries.
  useEffect(() => {
    void refreshName().catch(() => undefined);
    if (version > 0) void refreshPageTitle().catch(() => undefined);
  }, [version]);
  useEffect(() => {
    const leave = new AbortController();
    void refreshLogo(theme, leave.signal).catch((error: unknown) => {
      if (!leave.signal.aborted) console.warn(errorMessage(error));
    });
    return () => leave.abort();
  }, [theme, version]);
  return null;
}
