import { listPreferences, updatePreferences, type Args } from "@carrel/contracts";
import {
  agentLabels,
  agentPreferences,
  type skillRules,
} from "@carrel/contracts/skill-declaration";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "./api.ts";
import { agentKeys, instanceKeys } from "./query-keys.ts";

/** Preferences by label, as the server sends them. */
export type Preferences = Readonly<Record<string, unknown>>;
/** New values by label, or how they follow from the current ones. */
export type PreferenceChange = Preferences | ((current: Preferences) => Preferences);

export const preferencesQuery = queryOptions({
  queryKey: agentKeys.preferences,
  queryFn: ({ signal }) =>
    call(listPreferences, { labels: agentPreferences.join(",") }, { signal }),
  select: (reply) => reply.settings,
});

/** Changes preferences by label. */
export const useSavePreferences = () =>
  useMutation({
    // One after the other: the next change builds on what the previous one saved.
    scope: { id: "agent-preferences" },
    mutationFn: async (change: PreferenceChange, { client }) => {
      const values =
        typeof change === "function"
          ? change((await client.fetchQuery({ ...preferencesQuery, staleTime: 0 })).settings)
          : change;
      // The request body is the flat map itself.
      await call(updatePreferences, values as unknown as Args<typeof updatePreferences>);
    },
    meta: {
      invalidates: [agentKeys.preferences, agentKeys.setup, instanceKeys.setup],
      errorToast: (message) => i18next.t("agents:failed", { message }),
    },
  });

export type SkillRule = (typeof skillRules)[number];

/** Approval rules by skill; without one, calls are approved when needed. */
export const rulesIn = (preferences: Preferences): Readonly<Record<string, SkillRule>> =>
  (preferences[agentLabels.rules] ?? {}) as Record<string, SkillRule>;

/** Changes the rule of one skill and keeps those of the others. */
export const ruleChange =
  (skill: string, rule: SkillRule | null): PreferenceChange =>
  (current) => {
    const { [skill]: _before, ...others } = rulesIn(current);
    return { [agentLabels.rules]: rule === null ? others : { ...others, [skill]: rule } };
  };
