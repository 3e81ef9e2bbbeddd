import { inviteRoles, maxInviteUses, maxInvitesAtOnce, type InviteRole } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Copy, Download, TriangleAlert } from "lucide-react";
import { useId, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { copyText, saveText } from "../../../components/ui/copy-button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import {
  Field,
  FieldError,
  FieldHelp,
  FieldLabel,
  Textarea,
  labelStyles,
} from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { SelectField, TextField } from "../../../components/ui/text-field.tsx";
import { sentenceSpace } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { useCreateInvites, type MadeInvite } from "../api/users.ts";
import { adminWorkspacesQuery } from "../api/workspaces.ts";
import {
  inviteDays,
  inviteFault,
  linksAsText,
  newInviteForm,
  parseInvitees,
  requestOf,
  type InviteFault,
  type InviteForm,
} from "../state/invite-form.ts";
import { PickList } from "./pick-list.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

const kinds = ["one", "list", "team"] as const;

/** Asks whom an invite is for and how long it is valid, creates it and shows its links once. */
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

/**
 * The links for a list of people, as a table to copy or download. Only its button closes it,
 * because only admins can see the links again.
 */
function InviteLinksDialog({
  invites,
  isAdmin,
  onClose,
}: {
  invites: readonly MadeInvite[];
  isAdmin: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation("admin");
  const rows = invites.map(({ label, role, link }) => [label ?? "", t(`users.role.${role}`), link]);
  const head = [t("invites.columnFor"), t("users.roleLabel"), t("invites.link")];
  return (
    <Dialog
      open
      onClose={() => undefined}
      title={t("invites.linksTitle", { count: invites.length })}
      description={t("invites.linksText")}
      className="w-[min(720px,100vw-24px)]"
    >
      <div
        className="max-h-[45vh] overflow-auto rounded-md border border-line"
        role="region"
        aria-label={t("invites.linksTitle", { count: invites.length })}
        tabIndex={0 /* scrolled by keyboard */}
      >
        <table className="w-full text-sm">
          <thead className="sticky top-0 bg-overlay text-start text-fg-3">
            <tr>
              {head.map((name) => (
                <th key={name} className="px-3 py-2 text-start font-medium" scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {invites.map(({ id, label, role, link }) => (
              <tr key={id} className="border-t border-subtle">
                <td
                  className="max-w-[24ch] truncate px-3 py-2"
                  title={label ?? undefined}
                  dir="auto"
                >
                  {label}
                </td>
                <td className="px-3 py-2 whitespace-nowrap text-fg-2">{t(`users.role.${role}`)}</td>
                <td className="px-3 py-2 font-mono text-xs whitespace-nowrap" dir="ltr">
                  {link}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isAdmin ? (
        <Notice>
          <p>{t("invites.copyLater")}</p>
        </Notice>
      ) : (
        <Notice kind="warn" icon={<TriangleAlert aria-hidden="true" />}>
          <p>
            <b>{t("invites.linksOnceTitle")}.</b>
            {sentenceSpace()}
            {t("invites.onceText")}
          </p>
        </Notice>
      )}
      <DialogFooter>
        <Button
          onClick={() =>
            void copyText(linksAsText([head, ...rows], "tsv")).then(() =>
              toast.success(t("invites.linksCopied")),
            )
          }
        >
          <Copy className="size-3.5 stroke-2" aria-hidden="true" />
          {t("invites.copyTable")}
        </Button>
        <Button onClick={() => saveText("invites.csv", linksAsText([head, ...rows], "csv"))}>
          <Download className="size-3.5 stroke-2" aria-hidden="true" />
          {t("invites.downloadTable")}
        </Button>
        <Button variant="primary" onClick={onClose}>
          {t("done")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

interface Part {
  form: InviteForm;
  /** Shown once sending was attempted. */
  fault: InviteFault | null;
  onChange: (change: Partial<InviteForm>) => void;
}

/** Whom a list of links, or a team's link, is for. */
function InviteeFields({ form, fault, onChange }: Part) {
  const { t } = useTranslation("admin");
  const id = useId();
  if (form.kind === "team")
    return (
      <div className="grid grid-cols-2 items-start gap-4 max-md:grid-cols-1">
        <TextField
          label={t("invites.team")}
          extra={<span className="text-fg-3">{t("users.optional")}</span>}
          maxLength={255}
          value={form.label}
          onChange={(event) => onChange({ label: event.target.value })}
        />
        <TextField
          label={t("invites.uses")}
          type="number"
          inputMode="numeric"
          min={1}
          max={maxInviteUses}
          value={form.uses}
          problem={fault === "uses" ? t("invites.usesFault", { count: maxInviteUses }) : null}
          onChange={(event) => onChange({ uses: event.target.value })}
        />
      </div>
    );
  const count = parseInvitees(form.people).length;
  return (
    <Field>
      <FieldLabel htmlFor={id}>{t("invites.people")}</FieldLabel>
      <Textarea
        id={id}
        rows={6}
        dir="auto"
        autoFocus
        placeholder={t("invites.peoplePlaceholder")}
        aria-describedby={`${id}-note`}
        aria-invalid={fault !== null || undefined}
        invalid={fault !== null}
        value={form.people}
        onChange={(event) => onChange({ people: event.target.value })}
      />
      {fault !== null ? (
        <FieldError id={`${id}-note`} role="alert">
          {t(fault === "tooMany" ? "invites.tooMany" : "invites.inviteesMissing", {
            count: maxInvitesAtOnce,
          })}
        </FieldError>
      ) : (
        <FieldHelp id={`${id}-note`}>
          {count > 0 ? t("invites.peopleCount", { count }) : t("invites.peopleHelp")}
        </FieldHelp>
      )}
    </Field>
  );
}

/** The role that links give, and how long they can be used. */
function InviteLimitFields({ form, onChange }: Omit<Part, "fault">) {
  const { t } = useTranslation("admin");
  return (
    <div className="grid grid-cols-2 items-start gap-4 max-md:grid-cols-1">
      <SelectField
        label={t("users.roleLabel")}
        value={form.role}
        onChange={(role) => onChange({ role: role as InviteRole })}
      >
        {inviteRoles.map((role) => (
          <option key={role} value={role}>
            {t(`users.role.${role}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("invites.expiry")}
        value={form.days}
        onChange={(days) => onChange({ days: days as InviteForm["days"] })}
      >
        {inviteDays.map((days) => (
          <option key={days} value={days}>
            {t(`invites.expiryDays.${days}`)}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
