import { useTranslation } from "react-i18next";
import { ConfirmDialog, NameDialog } from "../../../components/ui/dialogs.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { useCreateFolder, useDeleteFolder, useRenameFolder } from "../api/folders.ts";
import { parentOf, rootFolder, type FolderNode } from "../state/folder-tree.ts";

export function CreateFolderDialog({
  parent,
  onClose,
}: {
  /** null: the root. */
  parent: FolderNode | null;
  onClose: () => void;
}) {
  const { t } = useTranslation("library");
  const create = useCreateFolder();
  return (
    <NameDialog
      open
      title={parent ? t("newFolderIn", { name: parent.label }) : t("newFolder")}
      label={t("folderName")}
      initial=""
      placeholder={t("folderPlaceholder")}
      action={t("createFolder")}
      busyAction={t("creating")}
      onClose={onClose}
      onSubmit={(typed) => create.mutateAsync(parent ? `${parent.name}/${typed}` : typed)}
    />
  );
}

interface FolderDialogProps {
  folder: FolderNode;
  onClose: () => void;
}

export function RenameFolderDialog({ folder, onClose }: FolderDialogProps) {
  const { t } = useTranslation("library");
  const rename = useRenameFolder();
  const parent = parentOf(folder.name);
  return (
    <NameDialog
      open
      title={t("renameTitle", { name: folder.label })}
      label={t("folderName")}
      initial={folder.label}
      action={t("rename")}
      busyAction={t("renaming")}
      onClose={onClose}
      onSubmit={(typed) =>
        rename.mutateAsync({
          from: folder.name,
          to: parent === rootFolder ? typed : `${parent}/${typed}`,
        })
      }
    />
  );
}

export function DeleteFolderDialog({ folder, onClose }: FolderDialogProps) {
  const { t } = useTranslation("library");
  const remove = useDeleteFolder();
  return (
    <ConfirmDialog
      open
      title={t("removeFolderTitle", { name: folder.label })}
      text={t("removeFolderText", { count: folder.deep, text: formatNumber(folder.deep) })}
      action={t("removeFolder")}
      onClose={onClose}
      onConfirm={() => remove.mutateAsync(folder.name)}
    />
  );
}
