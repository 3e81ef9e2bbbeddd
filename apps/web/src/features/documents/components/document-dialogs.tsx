import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { usePurgeDocuments, useRemoveDocuments } from "../api/bulk-actions.ts";
import type { DialogRequest, BulkDialogRequest } from "../state/dialog-request.ts";
import { markExplainerSeen } from "../state/explainers.ts";
import { ExplainerDialog } from "./explainer-dialog.tsx";
import { CreateFolderDialog, DeleteFolderDialog, RenameFolderDialog } from "./folder-dialogs.tsx";
import { MoveDialog } from "./move-dialog.tsx";
import { TagDialog } from "./tag-dialog.tsx";

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

function PurgeDialog({ request, onClose }: { request: BulkDialogRequest; onClose: () => void }) {
  const { t } = useTranslation("library");
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
  const { t } = useTranslation("library");
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
