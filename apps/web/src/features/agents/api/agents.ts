import {
  getSkillReach,
  getSkillSetup,
  listPreferences,
  revokeOutlook,
  startOutlookSignIn,
  updatePreferences,
  validateSqlConnection,
  type Args,
} from "@carrel/contracts";
import { agentPreferences } from "@carrel/contracts/skill-declaration";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { instanceKeys } from "../../../lib/query-keys.ts";
import { personalSkills, type PersonalSkill } from "../state/skills.ts";

const agentKeys = {
  preferences: ["agents", "preferences"],
  reach: ["agents", "reach"],
  setup: ["agents", "setup"],
} as const;

export const preferencesQuery = queryOptions({
  queryKey: agentKeys.preferences,
  queryFn: ({ signal }) =>
    call(listPreferences, { labels: agentPreferences.join(",") }, { signal }),
  select: (reply) => reply.settings,
});

export const reachQuery = queryOptions({
  queryKey: agentKeys.reach,
  queryFn: ({ signal }) => call(getSkillReach, {}, { signal }),
});

/** Changes preferences by label. */
export const useSavePreferences = () =>
  useMutation({
    mutationFn: async (values: Record<string, unknown>) => {
      // The request body is the flat map itself.
      await call(updatePreferences, values as unknown as Args<typeof updatePreferences>);
    },
    meta: {
      invalidates: [agentKeys.preferences, agentKeys.setup, instanceKeys.setup],
      errorToast: (message) => i18next.t("agents:failed", { message }),
    },
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
