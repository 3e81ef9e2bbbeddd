import {
  changeEncoding,
  leaveEmbedQueue,
  removeWorkspaceDocument,
  retryDocument,
  type In,
  type WorkspaceDocumentStatus,
} from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { toast } from "../../../lib/toast.ts";
import { refreshDocumentLists } from "../state/refresh.ts";

export const useRetryDocument = (slug: string) =>
  useMutation({
    mutationFn: ({ documentId }: WorkspaceDocumentStatus) =>
      call(retryDocument, { slug, documentId }),
    onSettled: refreshDocumentLists,
    meta: {
      errorToast: (message) => i18next.t("documents-manager:workspace.retryFailed", { message }),
    },
  });

export const useRemoveDocument = (slug: string) =>
  useMutation({
    mutationFn: ({ documentId }: WorkspaceDocumentStatus) =>
      call(removeWorkspaceDocument, { slug, documentId }),
    onSuccess: (_reply, { title }) =>
      toast.success(i18next.t("documents-manager:workspace.removed", { title })),
    onSettled: refreshDocumentLists,
    meta: {
      errorToast: (message) => i18next.t("documents-manager:workspace.removeFailed", { message }),
    },
  });

export type ChosenEncoding = In<typeof changeEncoding>["encoding"];

/** Reads a document again, in all its workspaces. */
export const useChangeEncoding = () =>
  useMutation({
    mutationFn: (chosen: { documentId: string; encoding: ChosenEncoding }) =>
      call(changeEncoding, chosen),
    onSettled: refreshDocumentLists,
    meta: { errorToast: (message) => i18next.t("documents-manager:encoding.failed", { message }) },
  });

/** Removes a queued document from the workspace's embedding queue. */
export const useCancelEmbedding = (slug: string) =>
  useMutation({
    mutationFn: ({ docpath }: WorkspaceDocumentStatus) =>
      call(leaveEmbedQueue, { slug, filename: docpath ?? "" }),
    onSuccess: (_reply, { title }) =>
      toast.success(i18next.t("documents-manager:stopped", { name: title })),
    onSettled: refreshDocumentLists,
    meta: { errorToast: (message) => i18next.t("documents-manager:actionFailed", { message }) },
  });
