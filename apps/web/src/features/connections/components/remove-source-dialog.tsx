import type { ConnectionWire } from "@carrel/contracts";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { ChoiceCards } from "../../../components/ui/choices.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { useRemoveConnection } from "../api/connection-actions.ts";

/** Removes a source with or without its documents, and says how many those are. */
export function RemoveSourceDialog({
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
