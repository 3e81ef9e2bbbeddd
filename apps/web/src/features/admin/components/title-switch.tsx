import { threadTitlesLabel } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { toast } from "../../../lib/toast.ts";
import { useSwitchPreference } from "../api/preference-switches.ts";
import { SwitchRow } from "./switch-row.tsx";

/** Lets the language model title threads. Applies immediately. */
export function TitleSwitch({ saved }: { saved: Record<string, unknown> }) {
  const { t } = useTranslation("settings");
  const save = useSwitchPreference();
  const change = (on: boolean): void => {
    if (save.isPending) return;
    save.mutate(
      { name: threadTitlesLabel, on },
      { onSuccess: () => toast.success(t(`titles.${on ? "on" : "off"}`)) },
    );
  };
  return (
    <SwitchRow
      label={t("titles.label")}
      help={t("titles.help")}
      on={saved.ThreadTitlesByModel === true}
      busy={save.isPending}
      onChange={change}
    />
  );
}
