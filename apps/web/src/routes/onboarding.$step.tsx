import { useQuery } from "@tanstack/react-query";
import { createFileRoute, notFound, redirect, useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { requestSession, signIn, storeSession } from "../features/auth/api/sign-in.ts";
import { ModelStep } from "../features/onboarding/components/model-step.tsx";
import {
  PeopleStep,
  type AdminCredentials,
} from "../features/onboarding/components/people-step.tsx";
import { SurveyStep } from "../features/onboarding/components/survey-step.tsx";
import { DataStep, WorkspaceStep } from "../features/onboarding/components/workspace-step.tsx";
import { isStep, stepsWith, surveyQuery, type Step } from "../features/onboarding/state/steps.ts";
import { queryClient } from "../lib/query-client.ts";

/**
 * Steps of older versions, whose choices the language model step makes (specification 2, section
 * 4).
 */
const former = new Set(["embedding-preference", "vector-database"]);

export const Route = createFileRoute("/onboarding/$step")({
  beforeLoad: async ({ context, params: { step } }) => {
    if (step === "home") throw redirect({ to: "/onboarding", replace: true });
    if (former.has(step))
      throw redirect({
        to: "/onboarding/$step",
        params: { step: "llm-preference" },
        replace: true,
      });
    if (!isStep(step)) throw notFound();
    if (step !== "survey") return;
    const { address } = await context.queryClient.ensureQueryData(surveyQuery);
    if (address === null)
      throw redirect({
        to: "/onboarding/$step",
        params: { step: "create-workspace" },
        replace: true,
      });
  },
  component: CurrentStep,
});

function CurrentStep() {
  const { step } = Route.useParams();
  const navigate = useNavigate();
  const goTo = (next: Step): void =>
    void navigate({ to: "/onboarding/$step", params: { step: next } });
  const steps = stepsWith(useQuery(surveyQuery).data?.address ?? null);
  const place = steps.indexOf(step as Step);
  const onDone = (): void => goTo(steps[place + 1] ?? "create-workspace");
  const goHome = useCallback(() => void navigate({ to: "/" }), [navigate]);
  // Data loaded before belongs to the instance without accounts.
  const enter = async (credentials: AdminCredentials): Promise<string[]> => {
    const outcome = await requestSession(credentials);
    // A new account has no second factor.
    if (outcome.codeNeeded) throw new Error("a code is needed");
    storeSession(outcome.session);
    await queryClient.invalidateQueries();
    return outcome.recoveryCodes;
  };
  switch (step as Step) {
    case "llm-preference":
      return (
        <ModelStep
          onDone={onDone}
          onStarted={(workspaceSlug) =>
            void navigate({ to: "/workspace/$workspaceSlug", params: { workspaceSlug } })
          }
        />
      );
    case "user-setup":
      return (
        <PeopleStep
          onPassword={async (password) => {
            await signIn(password);
            await queryClient.invalidateQueries();
          }}
          onAdmin={enter}
          onDone={onDone}
        />
      );
    case "data-handling":
      return <DataStep onDone={onDone} />;
    case "survey":
      return <SurveyStep onDone={onDone} />;
    default:
      return <WorkspaceStep onDone={goHome} back={steps[place - 1] ?? "data-handling"} />;
  }
}
