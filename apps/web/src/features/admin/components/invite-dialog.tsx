import { useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Field, FieldHelp, labelStyles } from "../../../components/ui/field.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { useCreateInvites } from "../api/invites.ts";
import { adminWorkspacesQuery } from "../api/workspaces.ts";
import { inviteFault, newInviteForm, requestOf, type InviteForm } from "../state/invite-form.ts";
import { InviteeFields, InviteLimitFields } from "./invite-fields.tsx";
import { InviteLinksDialog } from "./invite-links-dialog.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { PickList } from "./pick-list.tsx";

const kinds = ["one", "list", "team"] as const;

/** Chooses for whom and for how long an invite is, creates it and shows its links once. */
export function InviteDialog({ isAdmin, onClose }: { isAdmin: boolean; onClose: () => void }) {
  const { t } = useTranslation("admin");
  const workspaces = useQuery(adminWorkspacesQuery).data ?? [];
  const [selected, setSelected] = useState(new Set<number>());
  const [form, setForm] = useState(newInviteForm);
  const [isChecked, setChecked] = useState(false);
  const create = useCreateInvites();
  const fault = inviteFault(form);
  const set = (change: Partial<InviteForm>): void => {
    setForm({ ...form, ...change });
    if (create.isError) create.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setChecked(true);
    if (!create.isPending && fault === null) create.mutate(requestOf(form, [...selected]));
  };
  if (create.isSuccess && form.kind === "list")
    return <InviteLinksDialog invites={create.data} isAdmin={isAdmin} onClose={onClose} />;
  if (create.isSuccess)
    return (
      <SecretDialog
        title={t("invites.linkTitle")}
        text={t(`invites.kindText.${form.kind}`, { count: Number(form.uses) })}
        label={t("invites.link")}
        value={create.data[0]?.link ?? ""}
        later={isAdmin ? t("invites.copyLater") : null}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("invites.createTitle")}
      description={t(`invites.kindText.${form.kind}`, { count: Number(form.uses) || 0 })}
      className="w-[min(560px,100vw-24px)]"
    >
      <form className="grid grid-cols-1 gap-5" onSubmit={submit} noValidate>
        <div>
          <Segmented
            label={t("invites.kind")}
            value={form.kind}
            options={kinds.map((value) => ({ value, label: t(`invites.kinds.${value}`) }))}
            onChange={(kind) => {
              set({ kind });
              setChecked(false);
            }}
          />
        </div>
        {form.kind !== "one" && (
          <InviteeFields form={form} fault={isChecked ? fault : null} onChange={set} />
        )}
        <InviteLimitFields form={form} onChange={set} />
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
            {create.isPending
              ? t("invites.creating")
              : t(form.kind === "list" ? "invites.createLinks" : "invites.create")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
