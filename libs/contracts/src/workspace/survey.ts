import { z } from "zod";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

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

export const surveyContracts: Contracts = { operations: [getSurvey, sendSurvey] };
