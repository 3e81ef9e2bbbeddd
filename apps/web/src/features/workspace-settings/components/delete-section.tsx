import type { WorkspaceWire } from "@carrel/contracts";
import { useState, type FormEvent } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { toast } from "../../../lib/toast.ts";
import { useDeleteWorkspace } from "../api/workspace.ts";

/** Deletes the workspace for everyone, after its name is typed as confirmation. */
export function DeleteSection({
  workspace,
  onDeleted,
}: {
  workspace: WorkspaceWire;
  onDeleted: () => Promise<void>;
}) {
  const { t } = useTranslation("workspace");
  const [asked, setAsked] = useState(false);
  return (
    <FormSection title={t("delete")} help={t("deleteHelp")}>
      <div>
        <Button className="max-md:h-11" variant="danger" onClick={() => setAsked(true)}>
          {t("deleteOpen")}
        </Button>
      </div>
      {asked &&
        createPortal(
          <DeleteDialog
            workspace={workspace}
            onDeleted={onDeleted}
            onClose={() => setAsked(false)}
          />,
          document.body,
        )}
    </FormSection>
  );
}

function DeleteDialog({
  workspace: { slug, name },
  onDeleted,
  onClose,
}: {
  workspace: WorkspaceWire;
  onDeleted: () => Promise<void>;
  onClose: () => void;
}) {
  const { t } = useTranslation(["workspace", "common"]);
  const [typed, setTyped] = useState("");
  const remove = useDeleteWorkspace(slug);
  const matches = typed.trim() === name.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation(); // in React's tree the dialog is inside the form
    if (remove.isPending || !matches) return;
    const end = async (): Promise<void> => {
      toast.success(t("deleted", { name }));
      await onDeleted();
    };
    // Not a callback of `mutate`: the page may learn that the workspace is gone, and close this
    // dialog, before the reply comes. The dialog shows an error.
    void remove.mutateAsync().then(end, () => undefined);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("deleteTitle", { name })}
      description={t("deleteText")}
      className="w-[min(560px,100vw-24px)]"
    >
      <form className="grid gap-4" onSubmit={submit}>
        <TextField
          label={t("deleteTyped", { name })}
          value={typed}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
        {remove.error && (
          <Notice kind="bad">
            <p>{t("notDeleted", { message: remove.error.message })}</p>
          </Notice>
        )}
        <DialogFooter>
          <Button variant="quiet" onClick={onClose}>
            {t("common:cancel")}
          </Button>
          <Button
            type="submit"
            variant="danger"
            disabled={remove.isPending || remove.isSuccess || !matches}
          >
            {remove.isPending || remove.isSuccess ? t("deleting") : t("delete")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
