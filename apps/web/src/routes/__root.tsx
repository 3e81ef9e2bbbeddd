import { createRootRoute, Link, Outlet, type ErrorComponentProps } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Logo } from "../components/ui/logo.tsx";
import { ApiError } from "../lib/api.ts";
import { onToastNeeded } from "../lib/toast.ts";

const BrandKeeper = lazy(() => import("../features/branding/components/brand-keeper.tsx"));
const Toasts = lazy(() => import("../components/ui/toasts.tsx"));

export const Route = createRootRoute({
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
      {painted && (
        <Suspense>
          <BrandKeeper />
        </Suspense>
      )}
      {toasts && (
        <Suspense>
          <Toasts />
        </Suspense>
      )}
    </>
  );
}

function Failed({ error: thrown, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const offline = error instanceof ApiError && (error.status === 0 || error.status >= 500);
  return (
    <main className="whole" role="alert">
      <Logo height={24} />
      <h1>{offline ? t("offline") : t("unexpected")}</h1>
      <p className="t2">
        {offline ? t("offlineHelp", { message: error.message }) : t("unexpectedHelp")}
      </p>
      {!offline && <pre className="mono xs t3 whitespace-pre-wrap">{error.message}</pre>}
      <button
        type="button"
        className="btn primary"
        onClick={() => {
          reset();
          location.reload();
        }}
      >
        {t("retry")}
      </button>
    </main>
  );
}

function Missing() {
  const { t } = useTranslation();
  return (
    <main className="whole">
      <Logo height={24} />
      <h1>{t("notFound")}</h1>
      <Link className="btn primary" to="/">
        {t("home")}
      </Link>
    </main>
  );
}
