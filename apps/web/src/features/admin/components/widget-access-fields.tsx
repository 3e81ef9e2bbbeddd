import { useTranslation } from "react-i18next";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { useAllowlistRequired } from "../api/widgets.ts";
import { linesOf, type WidgetFieldsProps } from "../state/widget-draft.ts";
import { LinesField } from "./lines-field.tsx";
import { SwitchRow } from "./switch-row.tsx";

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
                <b>{t("anyWarningTitle")}</b> {t("anyWarning")}
              </>
            )}
          </p>
        </Notice>
      ) : (
        <>
          <LinesField
            label={t("sites")}
            help={t("sitesHelp")}
            problem={invalid.length > 0 ? t("sitesFault", { entries: invalid.join(", ") }) : null}
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
      <SwitchRow
        label={t("page")}
        help={t("pageHelp")}
        on={draft.hasPage}
        busy={false}
        onChange={(hasPage) => set({ hasPage })}
      />
    </FormSection>
  );
}
