import { inviteRoles, maxInvitesAtOnce, maxInviteUses, type InviteRole } from "@carrel/contracts";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Field, FieldError, FieldHelp, FieldLabel } from "../../../components/ui/field.tsx";
import { Textarea } from "../../../components/ui/input.tsx";
import { SelectField } from "../../../components/ui/select-field.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { inviteDays, type InviteFault, type InviteForm } from "../state/invite-form.ts";
import { parseInvitees } from "../state/invite-list.ts";

interface Part {
  form: InviteForm;
  /** Shown once sending was tried. */
  fault: InviteFault | null;
  onChange: (change: Partial<InviteForm>) => void;
}

/** Whom a list of links, or the link of a team, is for. */
export function InviteeFields({ form, fault, onChange }: Part) {
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
export function InviteLimitFields({ form, onChange }: Omit<Part, "fault">) {
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
