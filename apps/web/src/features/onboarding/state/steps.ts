import { getSurvey, sendSurvey, type Args } from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { keys, writeStored } from "../../../lib/session-storage.ts";

export type SurveyAnswers = Required<Args<typeof sendSurvey>>;

export const surveyQuery = queryOptions({
  queryKey: ["survey"],
  queryFn: ({ signal }) => call(getSurvey, {}, { signal }),
});

export const useSendSurvey = () =>
  useMutation({
    mutationFn: (answers: SurveyAnswers) => call(sendSurvey, answers),
    onSuccess: () => writeStored(keys.questionnaire, "true"),
    gcTime: 0,
    meta: { errorToast: false },
  });

/**
 * The wizard's steps in their order (specification 1, section 2), by the last part of their
 * address.
 */
export const steps = [
  "home",
  "llm-preference",
  "user-setup",
  "data-handling",
  "survey",
  "create-workspace",
] as const;
export type Step = (typeof steps)[number];

/** The steps, without a survey if it can't be sent. */
export const stepsWith = (surveyAddress: string | null): readonly Step[] =>
  surveyAddress === null ? steps.filter((step) => step !== "survey") : steps;

export const isStep = (name: string): name is Step => (steps as readonly string[]).includes(name);
