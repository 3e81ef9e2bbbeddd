import { z } from "zod";
import { defineOperation, type Contracts } from "../operation.ts";

/** Carrel-specific: where the wizard's survey answers go. */
export const getSurvey = defineOperation({
  name: "workspace.survey.get",
  service: "workspace",
  access: { who: "admin" },
  routes: [
    { method: "GET", path: "/onboarding/survey", summary: "Get the address that surveys go to" },
  ],
  input: z.object({}),
  output: z.object({
    /** The operator's address; null if there is none, so nothing can be sent. */
    address: z.string().nullable(),
  }),
});

/**
 * Carrel-specific: sends the wizard's survey answers when a person presses Send. Existing clients
 * send theirs to their vendor on their own.
 */
export const sendSurvey = defineOperation({
  name: "workspace.survey.send",
  service: "workspace",
  access: { who: "admin", proof: "none" },
  timeoutMs: 15_000,
  routes: [
    { method: "POST", path: "/onboarding/survey", summary: "Send the first-run wizard's survey" },
  ],
  input: z.object({
    email: z.email().max(320),
    useCase: z.enum(["job", "personal", "other"]).default("other"),
    comment: z.string().max(5_000).default(""),
  }),
  output: z.object({ success: z.literal(true) }),
});

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
  operations: [getOnboarding, completeOnboarding, getSurvey, sendSurvey],
};
