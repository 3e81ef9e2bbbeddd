import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import {
  Field,
  FieldError,
  FieldHelp,
  FieldLabel,
  Input,
  Textarea,
} from "../../../components/ui/field.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { SwitchLine } from "../../../components/ui/switch-line.tsx";
import { SelectField, TextField } from "../../../components/ui/text-field.tsx";
import { formatNumber, joinNames, sentenceSpace } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import {
  useAllowlistRequired,
  useCreateWidgetSecret,
  useDeleteWidgetSecret,
  type Widget,
} from "../api/widgets.ts";
import {
  linesOf,
  longestHistory,
  longestMessage,
  widgetLimits,
  type WidgetFieldsProps,
  type WidgetLook,
} from "../state/widget-draft.ts";
import { SecretDialog } from "./secret-dialog.tsx";

const numeric = { type: "text", inputMode: "numeric", autoComplete: "off", dir: "ltr" } as const;

/** How much visitors may ask, and what they see at each limit. */
export function WidgetLimitFields({ draft, faults, set }: WidgetFieldsProps) {
  const { t } = useTranslation("widgets");
  const setMessage = (name: keyof typeof draft.messages, text: string): void =>
    set({ messages: { ...draft.messages, [name]: text } });
  return (
    <FormSection title={t("limitsTitle")} help={t("limitsHelp")}>
      {widgetLimits.map((name) => {
        const invalid = faults?.limits.includes(name) === true;
        const label = t(`limit.${name}`);
        return (
          <div key={name} className="grid grid-cols-1 gap-1.5">
            <span className="font-medium">{label}</span>
            <div className="grid grid-cols-[120px_minmax(0,1fr)] gap-2 max-md:grid-cols-1">
              <Input
                {...numeric}
                aria-label={t("limitLabel", { name: label })}
                placeholder={t("unlimited")}
                invalid={invalid}
                aria-invalid={invalid || undefined}
                value={draft.limits[name]}
                onChange={(event) =>
                  set({ limits: { ...draft.limits, [name]: event.target.value } })
                }
              />
              <Input
                aria-label={t("limitMessage", { name: label })}
                placeholder={t("limitMessageHint")}
                maxLength={500}
                value={draft.messages[name]}
                onChange={(event) => setMessage(name, event.target.value)}
              />
            </div>
            {invalid && <FieldError role="alert">{t("limitFault")}</FieldError>}
          </div>
        );
      })}
      <TextField
        label={t("disabledMessage")}
        maxLength={500}
        value={draft.messages.disabled}
        onChange={(event) => setMessage("disabled", event.target.value)}
      />
      <div className="grid grid-cols-2 items-start gap-4 max-md:grid-cols-1">
        <TextField
          {...numeric}
          label={t("messageLength")}
          value={draft.messageLength}
          problem={
            faults?.messageLength === true
              ? t("numberFault", { max: formatNumber(longestMessage) })
              : null
          }
          onChange={(event) => set({ messageLength: event.target.value })}
        />
        <TextField
          {...numeric}
          label={t("history")}
          value={draft.history}
          problem={
            faults?.history === true
              ? t("numberFault", { max: formatNumber(longestHistory) })
              : null
          }
          onChange={(event) => set({ history: event.target.value })}
        />
      </div>
    </FormSection>
  );
}

/** The script's default is the first, which needs no attribute. */
const themes = [
  ["", "auto"],
  ["light", "light"],
  ["dark", "dark"],
] as const;
const positions = [
  ["", "bottomRight"],
  ["bottom-left", "bottomLeft"],
  ["top-right", "topRight"],
  ["top-left", "topLeft"],
] as const;

const icons = [
  ["", "plus"],
  ["chatCircle", "chatCircle"],
  ["support", "support"],
  ["search", "search"],
  ["search2", "search2"],
  ["magic", "magic"],
] as const;
/** Includes the script's defaults. */
const colors = [
  ["buttonColor", "#262626"],
  ["userBgColor", "#2c2f35"],
  ["assistantBgColor", "#2563eb"],
] as const;

/** Attributes of the script and the full-page chat. */
export function WidgetLookFields({ draft: { look }, set }: WidgetFieldsProps) {
  const { t } = useTranslation("widgets");
  const change = (name: WidgetLook, value: string): void =>
    set({ look: { ...look, [name]: value } });
  return (
    <FormSection title={t("look")} help={t("lookHelp")}>
      <div className="grid grid-cols-2 items-start gap-4 max-md:grid-cols-1">
        <TextField
          label={t("assistantName")}
          value={look.assistantName}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => change("assistantName", event.target.value)}
        />
        <SelectField
          label={t("theme")}
          value={look.theme === "auto" ? "" : look.theme}
          onChange={(theme) => change("theme", theme)}
        >
          {themes.map(([value, name]) => (
            <option key={value} value={value}>
              {t(`themes.${name}`)}
            </option>
          ))}
        </SelectField>
        {colors.map(([name, fallback]) => (
          <TextField
            key={name}
            label={t(`colors.${name}`)}
            help={t("colorHelp", { color: fallback })}
            dir="ltr"
            value={look[name]}
            maxLength={100}
            autoComplete="off"
            onChange={(event) => change(name, event.target.value)}
          />
        ))}
        <SelectField
          label={t("icon")}
          value={look.chatIcon === "plus" ? "" : look.chatIcon}
          onChange={(icon) => change("chatIcon", icon)}
        >
          {icons.map(([value, name]) => (
            <option key={value} value={value}>
              {t(`icons.${name}`)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t("position")}
          value={look.position === "bottom-right" ? "" : look.position}
          onChange={(position) => change("position", position)}
        >
          {positions.map(([value, name]) => (
            <option key={value} value={value}>
              {t(`positions.${name}`)}
            </option>
          ))}
        </SelectField>
      </div>
    </FormSection>
  );
}

/** The sites that may use the widget, and the full-page chat. */
export function WidgetAccessFields({ draft, faults, set }: WidgetFieldsProps) {
  const { t } = useTranslation("widgets");
  const isListRequired = useAllowlistRequired();
  const invalid = faults?.sites ?? [];
  return (
    <FormSection title={t("access")} help={t("accessHelp")}>
      <div>
        <Segmented
          label={t("accessLabel")}
          options={[
            { value: "listed", label: t("listed") },
            { value: "any", label: t("any") },
          ]}
          value={draft.access}
          onChange={(access) => set({ access })}
        />
      </div>
      {draft.access === "any" ? (
        <Notice kind="warn">
          <p>
            {isListRequired ? (
              t("anyRefused")
            ) : (
              <>
                <b>{t("anyWarningTitle")}</b>
                {sentenceSpace()}
                {t("anyWarning")}
              </>
            )}
          </p>
        </Notice>
      ) : (
        <>
          <LinesField
            label={t("sites")}
            help={t("sitesHelp")}
            problem={invalid.length > 0 ? t("sitesFault", { entries: joinNames(invalid) }) : null}
            placeholder="https://www.example.com"
            dir="ltr"
            maxLength={20_000}
            value={draft.sites}
            onChange={(sites) => set({ sites })}
          />
          {linesOf(draft.sites).length === 0 && (
            <Notice kind="info">
              <p>{t("sitesEmpty")}</p>
            </Notice>
          )}
        </>
      )}
      <SwitchLine
        label={t("page")}
        help={t("pageHelp")}
        on={draft.hasPage}
        onChange={(hasPage) => set({ hasPage })}
      />
    </FormSection>
  );
}

/** The secret with which the site's server signs visitors' identities; applies immediately. */
export function WidgetIdentity({
  widget: { id, has_identity_secret: hasSecret },
}: {
  widget: Widget;
}) {
  const { t } = useTranslation("widgets");
  const create = useCreateWidgetSecret();
  const remove = useDeleteWidgetSecret();
  const [confirming, setConfirming] = useState<"replace" | "delete" | null>(null);
  return (
    <FormSection title={t("identity")} help={t("identityHelp")}>
      <div className="flex flex-wrap items-center gap-2">
        <p className="me-2 text-fg-2">{t(hasSecret ? "identityOn" : "identityOff")}</p>
        <Button
          disabled={create.isPending}
          onClick={() => (hasSecret ? setConfirming("replace") : create.mutate(id))}
        >
          {t(hasSecret ? "replaceSecret" : "createSecret")}
        </Button>
        {hasSecret && (
          <Button variant="danger-outline" onClick={() => setConfirming("delete")}>
            {t("deleteSecret")}
          </Button>
        )}
      </div>
      {confirming === "replace" && (
        <ConfirmDialog
          open
          title={t("replaceTitle")}
          text={t("replaceText")}
          action={t("replaceSecret")}
          onClose={() => setConfirming(null)}
          onConfirm={() => create.mutateAsync(id)}
        />
      )}
      {confirming === "delete" && (
        <ConfirmDialog
          open
          title={t("deleteSecretTitle")}
          text={t("deleteSecretText")}
          action={t("deleteSecret")}
          onClose={() => setConfirming(null)}
          onConfirm={() =>
            remove.mutateAsync(id, { onSuccess: () => toast.success(t("secretDeleted")) })
          }
        />
      )}
      {create.isSuccess && confirming === null && (
        <SecretDialog
          title={t("secretTitle")}
          text={t("secretText")}
          label={t("secret")}
          value={create.data}
          onClose={() => create.reset()}
        />
      )}
    </FormSection>
  );
}

/** Multi-line text with its label, and a hint or error below. */
export function LinesField({
  label,
  help,
  problem = null,
  value,
  onChange,
  ...area
}: {
  label: string;
  help: string;
  problem?: string | null;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  dir?: "ltr";
  maxLength?: number;
}) {
  const id = useId();
  return (
    <Field>
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      <Textarea
        {...area}
        id={id}
        rows={3}
        value={value}
        invalid={problem !== null}
        aria-invalid={problem === null ? undefined : true}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value)}
      />
      {problem === null ? (
        <FieldHelp id={`${id}-note`}>{help}</FieldHelp>
      ) : (
        <FieldError id={`${id}-note`} role="alert">
          {problem}
        </FieldError>
      )}
    </Field>
  );
}
