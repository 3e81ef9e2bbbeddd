import {
  memberRightLabels,
  threadModelsLabel,
  threadTitlesLabel,
  updatePreferences,
  type Args,
  type memoryLabels,
} from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/query-client.ts";
import { setupQuery } from "../../../lib/setup.ts";

export type PersonalizationSwitch = (typeof memoryLabels)[number];
interface Switched {
  name: keyof typeof switchNames;
  on: boolean;
}

/** Their names in the reply of `/setup-complete`. */
export const switchNames = {
  memory_enabled: "MemoryEnabled",
  memory_auto_extraction: "MemoryAutoExtraction",
  [memberRightLabels.createWorkspaces]: "MembersCreateWorkspaces",
  [memberRightLabels.uploadDocuments]: "MembersUploadDocuments",
  [threadModelsLabel]: "ThreadModelsByEveryone",
  [threadTitlesLabel]: "ThreadTitlesByModel",
} as const;

export const useSwitchPreference = () =>
  useMutation({
    mutationFn: async ({ name, on }: Switched) => {
      // The request body is the flat map itself.
      const preferences = {
        [name]: String(on),
        // The wire turns extraction on by default; here, only its own switch does.
        ...(name === "memory_enabled" && on && { memory_auto_extraction: "false" }),
      } as unknown as Args<typeof updatePreferences>;
      await call(updatePreferences, preferences);
    },
    ...optimistic(setupQuery.queryKey, (reply, { name, on }: Switched) => ({
      ...reply,
      results: {
        ...reply.results,
        ...(name === "memory_enabled" && on && { MemoryAutoExtraction: false }),
        [switchNames[name]]: on,
      },
    })),
    meta: {
      invalidates: [setupQuery.queryKey],
      errorToast: (message) => i18next.t("settings:personalization.failed", { message }),
    },
  });
