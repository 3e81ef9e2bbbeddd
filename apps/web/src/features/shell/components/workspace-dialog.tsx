import type { WorkspaceWire } from "@carrel/contracts";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../../components/ui/confirm-dialog.tsx";
import { NameDialog } from "../../../components/ui/name-dialog.tsx";
import { toast } from "../../../lib/toast.ts";
import { useDeleteWorkspace, useRenameWorkspace } from "../api/workspaces.ts";
import { ArchiveDialog } from "./archive-dialog.tsx";
import { TrashDialog } from "./trash-dialog.tsx";

/** Renames or deletes a workspace, or lists its archived or deleted threads. */
export default function WorkspaceDialog({
  kind,
  workspace: { slug, name },
  current,
  onClose,
}: {
  kind: "rename" | "delete" | "archive" | "trash";
  workspace: WorkspaceWire;
  current: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation("shell");
  const navigate = useNavigate();
  const rename = useRenameWorkspace(slug);
  const remove = useDeleteWorkspace();
  if (kind === "archive") return <ArchiveDialog slug={slug} name={name} onClose={onClose} />;
  if (kind === "trash") return <TrashDialog slug={slug} name={name} onClose={onClose} />;
  if (kind === "rename")
    return (
      <NameDialog
        open
        title={t("renameWorkspace")}
        label={t("name")}
        initial={name}
        action={t("renameAction")}
        busyAction={t("saving")}
        onClose={onClose}
        onSubmit={(next) => rename.mutateAsync(next)}
      />
    );
  return (
    <ConfirmDialog
      open
      title={t("deleteWorkspaceTitle", { name })}
      text={t("deleteWorkspaceText")}
      action={t("deleteWorkspace")}
      onClose={onClose}
      onConfirm={async () => {
        await remove.mutateAsync(slug);
        if (current) await navigate({ to: "/" });
        toast.success(t("workspaceDeleted", { name }));
      }}
    />
  );
}
