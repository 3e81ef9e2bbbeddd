import {
  completeOnboarding,
  createWorkspace,
  updateSettings,
  type Args,
  type WorkspaceWire,
} from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { instanceKeys, workspaceKeys } from "../../../lib/query-keys.ts";

/**
 * Saves settings that no step has saved, and creates the first workspace, which completes the
 * wizard.
 */
export const useFinishOnboarding = () =>
  useMutation({
    mutationFn: async ({
      name,
      settings = {},
    }: {
      name: string;
      settings?: Record<string, string>;
    }): Promise<WorkspaceWire> => {
      if (Object.keys(settings).length > 0)
        await call(updateSettings, settings as unknown as Args<typeof updateSettings>);
      const { workspace } = await call(createWorkspace, { name, onboardingComplete: true });
      await call(completeOnboarding, {});
      return workspace!;
    },
    meta: { invalidates: [workspaceKeys.list, instanceKeys.setup], errorToast: false },
  });
