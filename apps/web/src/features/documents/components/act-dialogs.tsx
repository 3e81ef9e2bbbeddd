import { useTranslation } from "react-i18next";
import { ConfirmDialog, NameDialog } from "../../../components/ui/dialogs.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import {
  dropFolder,
  forEach,
  makeFolder,
  moveTo,
  nameFolder,
  purge,
  tagWith,
  takeOutOf,
} from "../api/library.ts";
import { errorMessage } from "../../../lib/error-message.ts";
import { act, tell } from "../state/acts.ts";
import { refreshDocumentLists } from "../state/refresh.ts";
import { selectionsOf, type Chosen } from "../state/chosen.ts";
import { noteExplained, type Explained } from "../state/explained.ts";
import { parentOf, rootFolder, type FolderNode } from "../state/folder-tree.ts";
import { ExplainerDialog } from "./explainer-dialog.tsx";
import { MoveDialog } from "./move-dialog.tsx";
import { TagDialog } from "./tag-dialog.tsx";

/** The open dialog and what it acts on. */
export type Ask =
  | {
      kind: "move" | "tag" | "purge" | "take-out";
      chosen: Chosen;
      count: number;
      /** Set when there is only one document. */
      title: string | null;
      /** Called once the action succeeded. */
      done: () => void;
    }
  | { kind: "make-folder"; /** null: the root. */ parent: FolderNode | null }
  | { kind: "rename-folder" | "remove-folder"; folder: FolderNode }
  | { kind: "explain"; what: Explained };

/** Renders the open dialog, if any. */
export function ActDialogs({
  ask,
  slug,
  name,
  onClose,
}: {
  ask: Ask | null;
  slug: string;
  /** The workspace's name. */
  name: string;
  onClose: () => void;
}) {
  const { t } = useTranslation(["library", "documents"]);
  if (!ask) return null;
  switch (ask.kind) {
    case "move":
      return (
        <MoveDialog
          count={ask.count}
          onClose={onClose}
          onMove={async (folder) => {
            tell("moved", await forEach(selectionsOf(ask.chosen), moveTo(folder)));
            ask.done();
            refreshDocumentLists();
          }}
        />
      );
    case "tag":
      return (
        <TagDialog
          chosen={ask.chosen}
          count={ask.count}
          onClose={onClose}
          onSave={async (add, remove) => {
            tell("tagged", await forEach(selectionsOf(ask.chosen), tagWith(add, remove)));
            ask.done();
            refreshDocumentLists();
          }}
        />
      );
    case "purge":
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
          onConfirm={async () => {
            if (await act("purged", ask.chosen, purge)) ask.done();
          }}
        />
      );
    case "take-out":
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
          onConfirm={async () => {
            if (await act("takenOut", ask.chosen, takeOutOf(slug))) ask.done();
          }}
        />
      );
    case "make-folder":
      return (
        <NameDialog
          open
          title={ask.parent ? t("newFolderIn", { name: ask.parent.label }) : t("newFolder")}
          label={t("folderName")}
          initial=""
          placeholder={t("folderPlaceholder")}
          action={t("makeFolder")}
          busyAction={t("making")}
          onClose={onClose}
          onSubmit={async (typed) => {
            await makeFolder(ask.parent ? `${ask.parent.name}/${typed}` : typed);
            toast.success(t("folderMade"));
            refreshDocumentLists();
          }}
        />
      );
    case "rename-folder":
      return (
        <NameDialog
          open
          title={t("renameTitle", { name: ask.folder.label })}
          label={t("folderName")}
          initial={ask.folder.label}
          action={t("rename")}
          busyAction={t("renaming")}
          onClose={onClose}
          onSubmit={async (typed) => {
            const parent = ask.folder.name.includes("/") ? parentOf(ask.folder.name) : null;
            const to = parent === null || parent === rootFolder ? typed : `${parent}/${typed}`;
            if (to !== ask.folder.name) await nameFolder(ask.folder.name, to);
            toast.success(t("renamed"));
            refreshDocumentLists();
          }}
        />
      );
    case "remove-folder":
      return (
        <ConfirmDialog
          open
          title={t("removeFolderTitle", { name: ask.folder.label })}
          text={t("removeFolderText", {
            count: ask.folder.deep,
            text: formatNumber(ask.folder.deep),
          })}
          action={t("removeFolder")}
          onClose={onClose}
          onConfirm={async () => {
            try {
              await dropFolder(ask.folder.name);
              toast.success(t("folderRemoved"));
            } catch (error) {
              toast.error(t("actFailed", { message: errorMessage(error) }));
            }
            refreshDocumentLists();
          }}
        />
      );
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
