import { useQuery } from "@tanstack/react-query";
import { Outlet, createFileRoute, useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { PageBoundary } from "../components/ui/query-boundary.tsx";
import { requireOperator } from "../features/auth/api/auth-state.ts";
import { OnboardingFrame } from "../features/onboarding/components/onboarding-frame.tsx";
import { isStep, surveyQuery } from "../features/onboarding/state/steps.ts";

/** The first-run wizard; each step has its own address. */
export const Route = createFileRoute("/onboarding")({
  beforeLoad: requireOperator,
  // Decides whether the survey step is shown. If the request fails, the steps show the error.
  loader: async ({ context }) => {
    await context.queryClient.ensureQueryData(surveyQuery).catch(() => undefined);
  },
  component: Onboarding,
});

function Onboarding() {
  const { t } = useTranslation("onboarding");
  const { step = "home" } = useParams({ strict: false });
  const surveyAddress = useQuery(surveyQuery).data?.address ?? null;
  return (
    <OnboardingFrame step={isStep(step) ? step : "home"} surveyAddress={surveyAddress}>
      <PageBoundary
        words={{ loading: t("loading"), failed: t("loadFailed"), retry: t("retry") }}
        key={step}
      >
        <Outlet />
      </PageBoundary>
    </OnboardingFrame>
  );
}
