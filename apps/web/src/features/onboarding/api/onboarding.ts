import { completeOnboarding, createWorkspace, type WorkspaceWire } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { instanceKeys, workspaceKeys } from "../../../lib/query-keys.ts";

/** Creates the first workspace, which ends the wizard. */
export const useFinishOnboarding = () =>
  useMutation({
    mutationFn: async (name: string): Promise<WorkspaceWire> => {
      const { workspace } = await call(createWorkspace, { name, onboardingComplete: true });
      await call(completeOnboarding, {});
      return workspace!;
    },
    meta: { invalidates: [workspaceKeys.list, instanceKeys.setup], errorToast: false },
  });
