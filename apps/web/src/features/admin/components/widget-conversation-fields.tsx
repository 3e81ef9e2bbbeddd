import { useTranslation } from "react-i18next";
import { FormSection } from "../../../components/ui/form-section.tsx";
import {
  longestSuggestion,
  mostSuggestions,
  type WidgetFieldsProps,
} from "../state/widget-draft.ts";
import { LinesField } from "./lines-field.tsx";
import { SwitchRow } from "./switch-row.tsx";

/** What an empty chat shows, and whether answers name their sources. */
export function WidgetConversationFields({ draft, faults, set }: WidgetFieldsProps) {
  const { t } = useTranslation("widgets");
  return (
    <FormSection title={t("conversation")}>
      <LinesField
        label={t("greeting")}
        help={t("greetingHelp")}
        maxLength={1_000}
        value={draft.greeting}
        onChange={(greeting) => set({ greeting })}
      />
      <LinesField
        label={t("suggested")}
        help={t("suggestedHelp", { count: mostSuggestions })}
        problem={
          faults?.suggested === true
            ? t("suggestedFault", { count: mostSuggestions, length: longestSuggestion })
            : null
        }
        value={draft.suggested}
        onChange={(suggested) => set({ suggested })}
      />
      <SwitchRow
        label={t("sources")}
        help={t("sourcesHelp")}
        on={draft.showSources}
        busy={false}
        onChange={(showSources) => set({ showSources })}
      />
    </FormSection>
  );
}
