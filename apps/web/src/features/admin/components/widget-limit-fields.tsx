import { useTranslation } from "react-i18next";
import { FieldError, Input } from "../../../components/ui/field.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { formatNumber } from "../../../lib/format.ts";
import {
  longestHistory,
  longestMessage,
  widgetLimits,
  type WidgetFieldsProps,
} from "../state/widget-draft.ts";

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
