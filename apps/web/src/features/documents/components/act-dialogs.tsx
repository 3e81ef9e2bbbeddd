import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { usePurgeDocuments, useRemoveDocuments } from "../api/bulk-actions.ts";
import type { Ask, AskAboutDocuments } from "../state/ask.ts";
import { noteExplained } from "../state/explained.ts";
import { ExplainerDialog } from "./explainer-dialog.tsx";
import { CreateFolderDialog, DeleteFolderDialog, RenameFolderDialog } from "./folder-dialogs.tsx";
import { MoveDialog } from "./move-dialog.tsx";
import { TagDialog } from "./tag-dialog.tsx";

interface ActDialogsProps {
  ask: Ask | null;
  slug: string;
  /** The workspace's name. */
  name: string;
  onClose: () => void;
}

/** Renders the open dialog, if any. */
export function ActDialogs({ ask, slug, name, onClose }: ActDialogsProps) {
  switch (ask?.kind) {
    case undefined:
      return null;
    case "move":
      return (
        <MoveDialog chosen={ask.chosen} count={ask.count} onDone={ask.done} onClose={onClose} />
      );
    case "tag":
      return (
        <TagDialog chosen={ask.chosen} count={ask.count} onDone={ask.done} onClose={onClose} />
      );
    case "purge":
      return <PurgeDialog ask={ask} onClose={onClose} />;
    case "take-out":
      return <RemoveDialog ask={ask} slug={slug} name={name} onClose={onClose} />;
    case "make-folder":
      return <CreateFolderDialog parent={ask.parent} onClose={onClose} />;
    case "rename-folder":
      return <RenameFolderDialog folder={ask.folder} onClose={onClose} />;
    case "remove-folder":
      return <DeleteFolderDialog folder={ask.folder} onClose={onClose} />;
    case "explain":
      return (
        <ExplainerDialog
          what={ask.what}
          onClose={() => {
            noteExplained(ask.what);
            onClose();
          }}
        />
      );
  }
}

function PurgeDialog({ ask, onClose }: { ask: AskAboutDocuments; onClose: () => void }) {
  const { t } = useTranslation("library");
  const purge = usePurgeDocuments();
  return (
    <ConfirmDialog
      open
      title={
        ask.title === null
          ? t("purgeTitle", { count: ask.count, text: formatNumber(ask.count) })
          : t("purgeOne", { name: ask.title })
      }
      text={t("purgeText")}
      action={t("remove")}
      onClose={onClose}
      onConfirm={() => purge.mutateAsync({ documents: ask.chosen }).then(ask.done)}
    />
  );
}

function RemoveDialog({
  ask,
  slug,
  name,
  onClose,
}: Omit<ActDialogsProps, "ask"> & { ask: AskAboutDocuments }) {
  const { t } = useTranslation("library");
  const remove = useRemoveDocuments(slug);
  return (
    <ConfirmDialog
      open
      title={
        ask.title === null
          ? t("takeOutTitle", { count: ask.count, text: formatNumber(ask.count), name })
          : t("workspace.removeTitle", { title: ask.title })
      }
      text={t("takeOutText")}
      action={t("takeOut")}
      onClose={onClose}
      onConfirm={() => remove.mutateAsync({ documents: ask.chosen }).then(ask.done)}
    />
  );
}
