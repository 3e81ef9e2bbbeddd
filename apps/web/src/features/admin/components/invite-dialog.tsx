import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { makeInvite } from "../api/invites.ts";
import { adminWorkspacesQuery } from "../api/workspaces.ts";
import { useMaking } from "../state/use-making.ts";
import { OnceDialog } from "./once-dialog.tsx";
import { PickList } from "./pick-list.tsx";

/** Chooses the workspaces of an invite, makes it, and shows its link once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("admin");
  const workspaces = useQuery(adminWorkspacesQuery).data ?? [];
  const [chosen, setChosen] = useState(new Set<number>());
  const {
    made: link,
    busy,
    problem,
    submit,
  } = useMaking(
    () => makeInvite([...chosen]),
    (message) => t("invites.makeFailed", { message }),
  );
  if (link !== null)
    return (
      <OnceDialog
        title={t("invites.linkTitle")}
        text={t("invites.makeText")}
        label={t("invites.link")}
        value={link}
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
      <form className="grid gap-5" onSubmit={(event) => void submit(event)}>
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
        {problem && (
          <Notice kind="bad">
            <p>{problem}</p>
          </Notice>
        )}
        <footer>
          <button type="button" className="btn quiet" onClick={onClose}>
            {t("cancel")}
          </button>
          <button type="submit" className="btn primary" disabled={busy}>
            {busy ? t("invites.making") : t("invites.make")}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
