import {
  countVectors,
  deleteWorkspace,
  listSuggestedMessages,
  removeWorkspacePicture,
  resetVectorDatabase,
  setSuggestedMessages,
  updateWorkspace,
  uploadWorkspacePicture,
  type Args,
  type Out,
  type WorkspaceWire,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { addressOf, routeOf } from "../../../lib/address.ts";
import { authorization, call, failureOf, watchStatus } from "../../../lib/api.ts";
import { agentKeys, documentKeys, workspaceKeys } from "../../../lib/query-keys.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";

export type SuggestedMessage = Out<typeof listSuggestedMessages>["suggestedMessages"][number];
export type WorkspaceChange = Omit<Args<typeof updateWorkspace>, "slug">;

const workspaceSettingsKeys = {
  vectorCount: (slug: string) => ["vector-count", slug],
} as const;

/** Changes only the given fields and shows the saved values from the reply right away. */
export const useUpdateWorkspace = (slug: string) =>
  useMutation({
    mutationFn: async (change: WorkspaceChange) => {
      const { workspace } = await call(updateWorkspace, { slug, ...change });
      // Only a refusal, which `call` throws, comes without the other fields.
      return workspace as WorkspaceWire;
    },
    onSuccess: (workspace, _change, _result, { client }) => {
      client.setQueryData(
        workspacesQuery.queryKey,
        (old) =>
          old && {
            ...old,
            workspaces: old.workspaces.map((each) => (each.id === workspace.id ? workspace : each)),
          },
      );
      void client.invalidateQueries({ queryKey: workspaceKeys.list });
      // Another model may be able to call tools.
      void client.invalidateQueries({ queryKey: agentKeys.model(workspace.slug) });
    },
    meta: { errorToast: false },
  });

export const useDeleteWorkspace = (slug: string) =>
  useMutation({ mutationFn: () => call(deleteWorkspace, { slug }), meta: { errorToast: false } });

export const vectorCountQuery = (slug: string) =>
  queryOptions({
    queryKey: workspaceSettingsKeys.vectorCount(slug),
    queryFn: ({ signal }) => call(countVectors, { slug }, { signal }),
    select: (reply) => reply.vectorCount,
  });

/** Removes all documents from a workspace; the files stay in the library. */
export const useResetVectors = (slug: string) =>
  useMutation({
    mutationFn: () => call(resetVectorDatabase, { slug }),
    meta: {
      invalidates: [
        workspaceSettingsKeys.vectorCount(slug),
        documentKeys.counts,
        documentKeys.inWorkspace(slug),
      ],
      errorToast: () => i18next.t("workspace:notReset"),
    },
  });

export const suggestedMessagesQuery = (slug: string) =>
  queryOptions({
    queryKey: workspaceKeys.suggestedMessages(slug),
    queryFn: ({ signal }) => call(listSuggestedMessages, { slug }, { signal }),
    select: (reply) => reply.suggestedMessages,
  });

/** Replaces all suggested messages, including their order. */
export const useSaveSuggestedMessages = (slug: string) =>
  useMutation({
    mutationFn: (messages: SuggestedMessage[]) => call(setSuggestedMessages, { slug, messages }),
    meta: { invalidates: [workspaceKeys.suggestedMessages(slug)], errorToast: false },
  });

async function sendPicture(
  operation: typeof uploadWorkspacePicture | typeof removeWorkspacePicture,
  slug: string,
  body: FormData | null,
): Promise<void> {
  const response = watchStatus(
    await fetch(addressOf(operation, { slug }).url, {
      method: routeOf(operation).method,
      headers: authorization(),
      body,
    }),
  );
  if (!response.ok) throw await failureOf(response);
}

export const useUploadWorkspacePicture = (slug: string) =>
  useMutation({
    mutationFn: (file: File) => {
      if (!file.type.startsWith("image/")) throw new Error(i18next.t("workspace:pictureNotImage"));
      const form = new FormData();
      form.append("file", file, file.name);
      return sendPicture(uploadWorkspacePicture, slug, form);
    },
    meta: {
      invalidates: [workspaceKeys.list],
      errorToast: (message) => i18next.t("workspace:pictureNotUploaded", { message }),
    },
  });

export const useRemoveWorkspacePicture = (slug: string) =>
  useMutation({
    mutationFn: () => sendPicture(removeWorkspacePicture, slug, null),
    meta: {
      invalidates: [workspaceKeys.list],
      errorToast: (message) => i18next.t("workspace:pictureNotRemoved", { message }),
    },
  });
