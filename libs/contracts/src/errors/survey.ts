import type { ErrorDefinition } from "./error-definition.ts";

/** Why the wizard's survey couldn't be sent. */
export const surveyErrors = {
  "survey.no-address": {
    kind: "DISABLED",
    message: "This instance has no survey address. Set CARREL_SURVEY_URL to send surveys.",
  },
  "survey.refused": {
    kind: "PROVIDER_FAILED",
    message: "{{host}} didn't accept the survey (status {{status}}).",
  },
  "survey.unreachable": {
    kind: "PROVIDER_FAILED",
    message: "Couldn't reach {{host}}. The survey wasn't sent.",
  },
} as const satisfies Record<string, ErrorDefinition>;
