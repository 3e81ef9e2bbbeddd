import { z } from "zod";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

export const getOnboarding = defineOperation({
  name: "workspace.onboarding.get",
  service: "workspace",
  access: { who: "public" },
  calls: ["auth"],
  routes: [
    {
      method: "GET",
      path: "/onboarding",
      summary: "Check whether the first-run wizard is complete",
    },
  ],
  input: z.object({}),
  output: z.object({ onboardingComplete: z.boolean() }),
});

export const completeOnboarding = defineOperation({
  name: "workspace.onboarding.complete",
  service: "workspace",
  access: { who: "session" },
  idempotency: "natural",
  routes: [
    { method: "POST", path: "/onboarding", summary: "Mark the first-run wizard as complete" },
  ],
  input: z.object({}),
  output: z.void(),
  success: { status: 200, kind: "text" },
});

export const onboardingContracts: Contracts = {
  operations: [getOnboarding, completeOnboarding],
};
