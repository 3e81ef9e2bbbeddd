import { createFolder, removeFolder, renameFolder } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { toast } from "../../../lib/toast.ts";
import { refreshDocumentLists } from "../state/refresh.ts";

export const useCreateFolder = () =>
  useMutation({
    mutationFn: (name: string) => call(createFolder, { name }),
    onSuccess: () => toast.success(i18next.t("library:folderCreated")),
    onSettled: refreshDocumentLists,
    meta: { errorToast: false },
  });

export const useRenameFolder = () =>
  useMutation({
    mutationFn: async (names: { from: string; to: string }): Promise<void> => {
      if (names.to !== names.from) await call(renameFolder, names);
    },
    onSuccess: () => toast.success(i18next.t("library:renamed")),
    onSettled: refreshDocumentLists,
    meta: { errorToast: false },
  });

/** Deletes a folder with every document in it. */
export const useDeleteFolder = () =>
  useMutation({
    mutationFn: (name: string) => call(removeFolder, { name }),
    onSuccess: () => toast.success(i18next.t("library:folderRemoved")),
    onSettled: refreshDocumentLists,
    meta: { errorToast: (message) => i18next.t("library:actionFailed", { message }) },
  });
