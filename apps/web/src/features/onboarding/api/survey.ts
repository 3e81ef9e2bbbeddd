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
