import { useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Field, FieldHelp, labelStyles } from "../../../components/ui/field.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { useCreateInvite } from "../api/invites.ts";
import { adminWorkspacesQuery } from "../api/workspaces.ts";
import { SecretDialog } from "./secret-dialog.tsx";
import { PickList } from "./pick-list.tsx";

/** Chooses the workspaces of an invite, creates it and shows its link once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("admin");
  const workspaces = useQuery(adminWorkspacesQuery).data ?? [];
  const [selected, setSelected] = useState(new Set<number>());
  const create = useCreateInvite();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!create.isPending) create.mutate([...selected]);
  };
  if (create.isSuccess)
    return (
      <SecretDialog
        title={t("invites.linkTitle")}
        text={t("invites.createText")}
        label={t("invites.link")}
        value={create.data}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("invites.createTitle")}
      description={t("invites.createText")}
      className="w-[min(560px,100vw-24px)]"
    >
      <form className="grid grid-cols-1 gap-5" onSubmit={submit}>
        {workspaces.length > 0 && (
          <Field>
            <span className={labelStyles}>{t("invites.chooseWorkspaces")}</span>
            <PickList
              label={t("invites.chooseWorkspaces")}
              search={t("invites.searchWorkspaces")}
              items={workspaces}
              selected={selected}
              onChange={setSelected}
            />
            <FieldHelp>{t("invites.chooseHelp")}</FieldHelp>
          </Field>
        )}
        {create.error && (
          <Notice kind="bad">
            <p>{t("invites.createFailed", { message: create.error.message })}</p>
          </Notice>
        )}
        <DialogFooter>
          <Button variant="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" variant="primary" disabled={create.isPending}>
            {create.isPending ? t("invites.creating") : t("invites.create")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
