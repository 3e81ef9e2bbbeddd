import { createFolder, removeFolder, renameFolder } from "@carrel/contracts";
import { useMutation, useQuery } from "@tanstack/react-query";
import i18next from "i18next";
import { useTranslation } from "react-i18next";
import { WatchDialog } from "../../../components/live-sync/watch-dialog.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { ConfirmDialog, NameDialog } from "../../../components/ui/overlays.tsx";
import { call } from "../../../lib/api.ts";
import { formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { watchesQuery } from "../../../lib/watches.ts";
import { usePurgeDocuments, useRemoveDocuments } from "../api/bulk-actions.ts";
import {
  markExplainerSeen,
  type BulkDialogRequest,
  type DialogRequest,
  type Explainer,
} from "../state/dialog-request.ts";
import { parentOf, rootFolder, type FolderNode } from "../state/folder-tree.ts";
import { refreshDocumentLists } from "../state/refresh.ts";
import { MoveDialog, TagDialog } from "./move-and-tag-dialogs.tsx";

const useCreateFolder = () =>
  useMutation({
    mutationFn: (name: string) => call(createFolder, { name }),
    onSuccess: () => toast.success(i18next.t("documents-manager:folderCreated")),
    onSettled: refreshDocumentLists,
    meta: { errorToast: false },
  });

const useRenameFolder = () =>
  useMutation({
    mutationFn: async (names: { from: string; to: string }): Promise<void> => {
      if (names.to !== names.from) await call(renameFolder, names);
    },
    onSuccess: () => toast.success(i18next.t("documents-manager:renamed")),
    onSettled: refreshDocumentLists,
    meta: { errorToast: false },
  });

/** Deletes a folder with every document in it. */
const useDeleteFolder = () =>
  useMutation({
    mutationFn: (name: string) => call(removeFolder, { name }),
    onSuccess: () => toast.success(i18next.t("documents-manager:folderRemoved")),
    onSettled: refreshDocumentLists,
    meta: { errorToast: (message) => i18next.t("documents-manager:actionFailed", { message }) },
  });

function CreateFolderDialog({
  parent,
  onClose,
}: {
  /** null: the root. */
  parent: FolderNode | null;
  onClose: () => void;
}) {
  const { t } = useTranslation("documents-manager");
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

function RenameFolderDialog({ folder, onClose }: FolderDialogProps) {
  const { t } = useTranslation("documents-manager");
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

function DeleteFolderDialog({ folder, onClose }: FolderDialogProps) {
  const { t } = useTranslation("documents-manager");
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

interface DocumentDialogsProps {
  request: DialogRequest | null;
  slug: string;
  /** The workspace's name. */
  name: string;
  onClose: () => void;
}

/** Renders the open dialog, if any. */
export function DocumentDialogs({ request, slug, name, onClose }: DocumentDialogsProps) {
  switch (request?.kind) {
    case undefined:
      return null;
    case "move":
      return (
        <MoveDialog
          selected={request.selected}
          count={request.count}
          onDone={request.done}
          onClose={onClose}
        />
      );
    case "tag":
      return (
        <TagDialog
          selected={request.selected}
          count={request.count}
          onDone={request.done}
          onClose={onClose}
        />
      );
    case "purge":
      return <PurgeDialog request={request} onClose={onClose} />;
    case "remove":
      return <RemoveDialog request={request} slug={slug} name={name} onClose={onClose} />;
    case "create-folder":
      return <CreateFolderDialog parent={request.parent} onClose={onClose} />;
    case "rename-folder":
      return <RenameFolderDialog folder={request.folder} onClose={onClose} />;
    case "delete-folder":
      return <DeleteFolderDialog folder={request.folder} onClose={onClose} />;
    case "watch":
      return <DocumentWatchDialog slug={slug} documentId={request.documentId} onClose={onClose} />;
    case "explain":
      return (
        <ExplainerDialog
          what={request.what}
          onClose={() => {
            markExplainerSeen(request.what);
            onClose();
          }}
        />
      );
  }
}

/** When a watched document is synced; nothing once it isn't watched anymore. */
function DocumentWatchDialog({
  slug,
  documentId,
  onClose,
}: {
  slug: string;
  documentId: string;
  onClose: () => void;
}) {
  const { data } = useQuery(watchesQuery(slug));
  const watch = data?.watches.find(({ document }) => document?.id === documentId);
  if (!data || !watch) return null;
  return (
    <WatchDialog
      slug={slug}
      watch={watch}
      defaultInterval={data.defaultIntervalSeconds}
      onClose={onClose}
    />
  );
}

function PurgeDialog({ request, onClose }: { request: BulkDialogRequest; onClose: () => void }) {
  const { t } = useTranslation("documents-manager");
  const purge = usePurgeDocuments();
  return (
    <ConfirmDialog
      open
      title={
        request.title === null
          ? t("purgeTitle", { count: request.count, text: formatNumber(request.count) })
          : t("purgeOne", { name: request.title })
      }
      text={t("purgeText")}
      action={t("remove")}
      onClose={onClose}
      onConfirm={() => purge.mutateAsync({ documents: request.selected }).then(request.done)}
    />
  );
}

function RemoveDialog({
  request,
  slug,
  name,
  onClose,
}: Omit<DocumentDialogsProps, "request"> & { request: BulkDialogRequest }) {
  const { t } = useTranslation("documents-manager");
  const remove = useRemoveDocuments(slug);
  return (
    <ConfirmDialog
      open
      title={
        request.title === null
          ? t("removeFromWorkspaceTitle", {
              count: request.count,
              text: formatNumber(request.count),
              name,
            })
          : t("workspace.removeTitle", { title: request.title })
      }
      text={t("removeFromWorkspaceText")}
      action={t("removeFromWorkspace")}
      onClose={onClose}
      onConfirm={() => remove.mutateAsync({ documents: request.selected }).then(request.done)}
    />
  );
}

/** Explains pinning or watching the first time it is used. */
function ExplainerDialog({ what, onClose }: { what: Explainer; onClose: () => void }) {
  const { t } = useTranslation("documents-manager");
  const texts =
    what === "pin"
      ? [t("pinText1"), t("pinText2"), t("pinText3")]
      : [t("watchText1"), t("watchText2"), t("watchText3")];
  return (
    <Dialog open onClose={onClose} title={t(what === "pin" ? "pinTitle" : "watchTitle")}>
      <div className="grid gap-3 text-fg-2">
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      <DialogFooter>
        <Button variant="primary" autoFocus onClick={onClose}>
          {t("understood")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
