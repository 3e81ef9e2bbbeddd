import { useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { useCreateInvite } from "../api/invites.ts";
import { adminWorkspacesQuery } from "../api/workspaces.ts";
import { OnceDialog } from "./once-dialog.tsx";
import { PickList } from "./pick-list.tsx";

/** Chooses the workspaces of an invite, creates it and shows its link once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("admin");
  const workspaces = useQuery(adminWorkspacesQuery).data ?? [];
  const [chosen, setChosen] = useState(new Set<number>());
  const create = useCreateInvite();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!create.isPending) create.mutate([...chosen]);
  };
  if (create.isSuccess)
    return (
      <OnceDialog
        title={t("invites.linkTitle")}
        text={t("invites.makeText")}
        label={t("invites.link")}
        value={create.data}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("invites.makeTitle")}
      description={t("invites.makeText")}
      className="form-dialog"
    >
      <form className="grid gap-5" onSubmit={submit}>
        {workspaces.length > 0 && (
          <div className="field">
            <span className="lbl">{t("invites.chooseWorkspaces")}</span>
            <PickList
              label={t("invites.chooseWorkspaces")}
              search={t("invites.searchWorkspaces")}
              picks={workspaces}
              chosen={chosen}
              onChange={setChosen}
            />
            <p className="help">{t("invites.chooseHelp")}</p>
          </div>
        )}
        {create.error && (
          <Notice kind="bad">
            <p>{t("invites.makeFailed", { message: create.error.message })}</p>
          </Notice>
        )}
        <footer>
          <button type="button" className="btn quiet" onClick={onClose}>
            {t("cancel")}
          </button>
          <button type="submit" className="btn primary" disabled={create.isPending}>
            {create.isPending ? t("invites.making") : t("invites.make")}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
