import type { WorkspaceWire } from "@carrel/contracts";
import { useState, type FormEvent } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/ui/dialog.tsx";
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
    <section aria-labelledby="wss-delete">
      <div>
        <h2 id="wss-delete">{t("delete")}</h2>
        <p className="t2">{t("deleteHelp")}</p>
      </div>
      <div>
        <button type="button" className="btn danger" onClick={() => setAsked(true)}>
          {t("deleteOpen")}
        </button>
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
    </section>
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
    event.stopPropagation(); // in React's tree the form behind the dialog is its parent
    if (remove.isPending || !matches) return;
    const onSuccess = async (): Promise<void> => {
      toast.success(t("deleted", { name }));
      await onDeleted();
    };
    remove.mutate(undefined, { onSuccess: () => void onSuccess() });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("deleteTitle", { name })}
      description={t("deleteText")}
      className="form-dialog"
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
        <footer>
          <button type="button" className="btn quiet" onClick={onClose}>
            {t("common:cancel")}
          </button>
          <button
            type="submit"
            className="btn danger"
            disabled={remove.isPending || remove.isSuccess || !matches}
          >
            {remove.isPending || remove.isSuccess ? t("deleting") : t("delete")}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
