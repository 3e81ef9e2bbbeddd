import { memberRightLabels, threadModelsLabel } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { toast } from "../../../lib/toast.ts";
import { switchNames, useSwitchPreference } from "../api/preference-switches.ts";
import { SwitchRow } from "./switch-row.tsx";

const switches = {
  createWorkspaces: memberRightLabels.createWorkspaces,
  uploadDocuments: memberRightLabels.uploadDocuments,
  chooseModels: threadModelsLabel,
} as const;
type Name = keyof typeof switches;
const names = Object.keys(switches) as Name[];

/** What members may do besides asking questions. Switches apply immediately. */
export function MemberRightSwitches({ saved }: { saved: Record<string, unknown> }) {
  const { t } = useTranslation("settings");
  const save = useSwitchPreference();
  const change = (right: Name, on: boolean): void => {
    if (save.isPending) return;
    const name = switches[right];
    save.mutate(
      { name, on },
      {
        onSuccess: () =>
          toast.success(t(`members.${right}.${on ? "on" : "off"}`), () =>
            save.mutate({ name, on: !on }),
          ),
      },
    );
  };
  return (
    <section className="grid gap-5" aria-labelledby="member-rights">
      <div>
        <h2 id="member-rights" className="text-md font-semibold">
          {t("members.title")}
        </h2>
        <p className="text-pretty text-fg-2">{t("members.help")}</p>
      </div>
      {names.map((right) => (
        <SwitchRow
          key={right}
          label={t(`members.${right}.label`)}
          help={t(`members.${right}.help`)}
          on={saved[switchNames[switches[right]]] === true}
          busy={save.isPending}
          onChange={(on) => change(right, on)}
        />
      ))}
    </section>
  );
}
