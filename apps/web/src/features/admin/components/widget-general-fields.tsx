import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { SelectField } from "../../../components/ui/select-field.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import type { WidgetFieldsProps } from "../state/widget-draft.ts";

/** Name, workspace and mode. */
export function WidgetGeneralFields({ draft, set }: WidgetFieldsProps) {
  const { t } = useTranslation("widgets");
  const workspaces = useQuery(workspacesQuery);
  return (
    <FormSection title={t("general")}>
      <TextField
        label={t("name")}
        extra={<span className="text-fg-3">{t("optional")}</span>}
        help={t("nameHelp")}
        value={draft.name}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => set({ name: event.target.value })}
      />
      <SelectField
        label={t("workspace")}
        value={draft.workspaceId}
        onChange={(workspaceId) => set({ workspaceId })}
      >
        {(workspaces.data ?? []).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("mode")}
        value={draft.mode}
        onChange={(mode) => set({ mode: mode === "chat" ? "chat" : "query" })}
      >
        {(["query", "chat"] as const).map((mode) => (
          <option key={mode} value={mode}>
            {t(`modes.${mode}`)}
          </option>
        ))}
      </SelectField>
    </FormSection>
  );
}
