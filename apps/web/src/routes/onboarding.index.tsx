import { createFileRoute, useNavigate } from "@tanstack/react-router";
import { WelcomeStep } from "../features/onboarding/components/welcome-step.tsx";

export const Route = createFileRoute("/onboarding/")({ component: Welcome });

function Welcome() {
  const navigate = useNavigate();
  return (
    <WelcomeStep
      onStarted={(workspaceSlug) =>
        void navigate({ to: "/workspace/$workspaceSlug", params: { workspaceSlug } })
      }
    />
  );
}
