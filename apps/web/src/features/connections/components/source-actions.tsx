import type { ConnectionWire } from "@carrel/contracts";
import { useNavigate } from "@tanstack/react-router";
import { Eye, Pause, Pencil, Play, RefreshCw, RotateCcw, Trash2, X } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { ChoiceCards } from "../../../components/ui/choices.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import type { MenuItem } from "../../../components/ui/dropdown-menu.tsx";
import { useRunAction, type RunAction, useRemoveConnection } from "../api/connection-actions.ts";
import { isOpen } from "../state/run-figures.ts";

/** What may be done with a source's import now, the most likely first. */
export function runActionsOf({ run }: ConnectionWire): RunAction[] {
  if (isOpen(run)) return [run?.state === "paused" ? "resume" : "pause", "cancel"];
  return run !== null && run.failed > 0 ? ["start", "retry"] : ["start"];
}

export const actionIcons = {
  start: RefreshCw,
  retry: RotateCcw,
  pause: Pause,
  resume: Play,
  cancel: X,
} as const;

/** The menu of a source, and the dialog that it may open. */
export function useSourceMenu(slug: string): {
  /** `isShown`: on the source's page, which has buttons for its import. */
  menuOf: (connection: ConnectionWire, isShown?: boolean) => MenuItem[];
  dialog: ReactNode;
} {
  const { t } = useTranslation("connections");
  const navigate = useNavigate();
  const act = useRunAction(slug);
  const [removing, setRemoving] = useState<ConnectionWire | null>(null);
  const go = (rest: string): void =>
    void navigate({
      to: "/workspace/$workspaceSlug/documents",
      params: { workspaceSlug: slug },
      search: { sources: rest },
    });
  const menuOf = (connection: ConnectionWire, isShown = false): MenuItem[] => {
    const { id, mayChange, run } = connection;
    const open = isShown ? [] : [{ label: t("open"), icon: Eye, run: () => go(id) }];
    const edit = { label: t("action.edit"), icon: Pencil, run: () => go(`${id}/edit`) };
    if (!mayChange)
      return [...open, { ...edit, label: t("action.change"), closed: "sourceOfOther" }];
    const runItems = runActionsOf(connection).map((action) => ({
      label: t(action === "start" && run === null ? "action.startFirst" : `action.${action}`),
      icon: actionIcons[action],
      run: () => act.mutate({ connectionId: id, action }),
    }));
    return [
      ...open,
      ...(isShown ? [] : runItems),
      edit,
      {
        label: t("action.remove"),
        icon: Trash2,
        danger: true,
        run: () => setRemoving(connection),
      },
    ];
  };
  return {
    menuOf,
    dialog: removing && (
      <RemoveSourceDialog slug={slug} connection={removing} onClose={() => setRemoving(null)} />
    ),
  };
}

/** Removes a source with or without its documents, and says how many those are. */
function RemoveSourceDialog({
  slug,
  connection: { id, name, documents },
  onClose,
}: {
  slug: string;
  connection: ConnectionWire;
  onClose: () => void;
}) {
  const { t } = useTranslation("connections");
  const navigate = useNavigate();
  const [choice, setChoice] = useState<"keep" | "delete">("keep");
  const remove = useRemoveConnection(slug);
  const submit = (): void =>
    remove.mutate(
      { connectionId: id, documents: choice === "delete" },
      {
        onSuccess: () => {
          onClose();
          void navigate({
            to: "/workspace/$workspaceSlug/documents",
            params: { workspaceSlug: slug },
            search: { sources: "all" },
          });
        },
      },
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("remove.title", { name })}
      description={t("remove.text")}
    >
      {documents > 0 && (
        <ChoiceCards
          name="documents-of-source"
          label={t("remove.label")}
          value={choice}
          onChange={setChoice}
          options={[
            {
              value: "keep",
              label: t("remove.keep"),
              text: t("remove.keepText", { count: documents }),
            },
            {
              value: "delete",
              label: t("remove.delete"),
              text: t("remove.deleteText", { count: documents }),
            },
          ]}
        />
      )}
      <DialogFooter>
        <Button variant="quiet" onClick={onClose}>
          {t("remove.cancel")}
        </Button>
        <Button variant="danger" disabled={remove.isPending} onClick={submit}>
          {t(
            remove.isPending
              ? "remove.busy"
              : choice === "delete"
                ? "remove.actionDelete"
                : "remove.action",
          )}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
