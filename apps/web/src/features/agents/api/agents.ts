import {
  getSkillReach,
  getSkillSetup,
  revokeOutlook,
  startOutlookSignIn,
  validateSqlConnection,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { agentKeys } from "../../../lib/query-keys.ts";
import { personalSkills, type PersonalSkill } from "../state/skills.ts";

export const reachQuery = queryOptions({
  queryKey: agentKeys.reach,
  queryFn: ({ signal }) => call(getSkillReach, {}, { signal }),
});

/** A refused or unreachable database rejects with the reason. */
export const useTestConnection = () =>
  useMutation({
    mutationFn: (connection: { engine: string; connectionString: string }) =>
      call(validateSqlConnection, connection),
    gcTime: 0,
    meta: { errorToast: false },
  });

export const setupStateQuery = (skill: PersonalSkill) =>
  queryOptions({
    queryKey: [...agentKeys.setup, skill],
    queryFn: ({ signal }) => call(getSkillSetup, { skill: personalSkills[skill] }, { signal }),
  });

/** Leaves for Microsoft's sign-in page, which returns here. */
export const useSignInToOutlook = () =>
  useMutation({
    mutationFn: async () => {
      const { url } = await call(startOutlookSignIn, {});
      location.assign(url);
    },
    meta: { errorToast: (message) => i18next.t("agents:personal.signInFailed", { message }) },
  });

export const useSignOut = () =>
  useMutation({
    mutationFn: () => call(revokeOutlook, {}),
    meta: { invalidates: [agentKeys.setup] },
  });
