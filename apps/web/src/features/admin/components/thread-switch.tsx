import { threadModelsLabel, threadTitlesLabel } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { toast } from "../../../lib/toast.ts";
import { switchNames, useSwitchPreference } from "../api/preference-switches.ts";
import { SwitchRow } from "./switch-row.tsx";

const texts = { [threadTitlesLabel]: "titles", [threadModelsLabel]: "threadModels" } as const;

/** A switch for the models or titles of threads. Applies immediately. */
export function ThreadSwitch({
  name,
  saved,
}: {
  name: keyof typeof texts;
  saved: Record<string, unknown>;
}) {
  const { t } = useTranslation("settings");
  const save = useSwitchPreference();
  const change = (on: boolean): void => {
    if (save.isPending) return;
    save.mutate(
      { name, on },
      {
        onSuccess: () =>
          toast.success(t(`${texts[name]}.${on ? "on" : "off"}`), () =>
            save.mutate({ name, on: !on }),
          ),
      },
    );
  };
  return (
    <SwitchRow
      label={t(`${texts[name]}.label`)}
      help={t(`${texts[name]}.help`)}
      on={saved[switchNames[name]] === true}
      busy={save.isPending}
      onChange={change}
    />
  );
}
