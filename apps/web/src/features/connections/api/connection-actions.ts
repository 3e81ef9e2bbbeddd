import {
  cancelRun,
  checkConnection,
  createConnection,
  listChoices,
  pauseRun,
  previewConnection,
  removeConnection,
  resumeRun,
  retryRun,
  startRun,
  updateConnection,
  type Args,
} from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { toast } from "../../../lib/toast.ts";
import { showRun } from "../state/live-runs.ts";
import { connectionKeys } from "./connections.ts";

const actions = {
  start: startRun,
  pause: pauseRun,
  resume: resumeRun,
  cancel: cancelRun,
  retry: retryRun,
};
export type RunAction = keyof typeof actions;

/** Starts, pauses, resumes, cancels or retries the import of a source. */
export const useRunAction = (slug: string) =>
  useMutation({
    mutationFn: ({ connectionId, action }: { connectionId: string; action: RunAction }) =>
      call(actions[action], { slug, connectionId }),
    onSuccess: ({ run }, { action }) => {
      showRun(slug, run);
      if (action === "cancel") toast.success(i18next.t("connections:cancelled"));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: connectionKeys.all(slug) }),
    meta: { errorToast: (message) => i18next.t("connections:actionFailed", { message }) },
  });

export type NewConnection = Omit<Args<typeof createConnection>, "slug">;
export type ConnectionDraft = Omit<Args<typeof checkConnection>, "slug">;

export const useCreateConnection = (slug: string) =>
  useMutation({
    mutationFn: async (fields: NewConnection) =>
      (await call(createConnection, { slug, ...fields })).connection,
    gcTime: 0,
    meta: { invalidates: [connectionKeys.all(slug)], errorToast: false },
  });

export const useUpdateConnection = (slug: string) =>
  useMutation({
    mutationFn: async (fields: Omit<Args<typeof updateConnection>, "slug">) =>
      (await call(updateConnection, { slug, ...fields })).connection,
    onSuccess: () => toast.success(i18next.t("connections:saved")),
    gcTime: 0,
    meta: { invalidates: [connectionKeys.all(slug)], errorToast: false },
  });

export const useRemoveConnection = (slug: string) =>
  useMutation({
    mutationFn: (removed: { connectionId: string; documents: boolean }) =>
      call(removeConnection, { slug, ...removed }),
    onSuccess: ({ documents }) =>
      toast.success(i18next.t("connections:removed", { count: documents })),
    meta: {
      invalidates: [connectionKeys.list(slug)],
      errorToast: (message) => i18next.t("connections:removeFailed", { message }),
    },
  });

/** Fails with the reason if the source can't be read. */
export const useCheckConnection = (slug: string) =>
  useMutation({
    mutationFn: (draft: ConnectionDraft) => call(checkConnection, { slug, ...draft }),
    gcTime: 0,
    meta: { errorToast: false },
  });

/** Counts what would be imported. */
export const usePreviewConnection = (slug: string) =>
  useMutation({
    mutationFn: (draft: ConnectionDraft & { matchAccounts: boolean }) =>
      call(previewConnection, { slug, ...draft }),
    gcTime: 0,
    meta: { errorToast: false },
  });

/** What may be chosen in a field. If that can't be listed, a toast says why. */
export const useListChoices = (slug: string) =>
  useMutation({
    mutationFn: (draft: ConnectionDraft & { field: string }) =>
      call(listChoices, { slug, ...draft }),
    gcTime: 0,
  });
