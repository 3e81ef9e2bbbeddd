import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { PageBody, settingsColumn } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SwitchLine } from "../../../components/ui/switch-line.tsx";
import { cn } from "../../../lib/cn.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { toast } from "../../../lib/toast.ts";
import {
  SettingsBoundary,
  useSwitchPreference,
  type PersonalizationSwitch,
} from "./settings-page.tsx";

/** Turns memories and their automatic extraction on or off. Switches apply immediately. */
export function PersonalizationSettings() {
  return (
    <SettingsBoundary>
      <PersonalizationSwitches />
    </SettingsBoundary>
  );
}

function PersonalizationSwitches() {
  const { t } = useTranslation("settings");
  const { data: setup } = useSuspenseQuery(setupQuery);
  const save = useSwitchPreference();
  const memories = setup.MemoryEnabled === true;
  const change = (name: PersonalizationSwitch, on: boolean): void => {
    save.mutate(
      { name, on },
      {
        onSuccess: () =>
          toast.success(t(`personalization.${on ? "on" : "off"}.${name}`), () =>
            save.mutate({ name, on: !on }),
          ),
      },
    );
  };
  return (
    <PageBody>
      <div className={cn(settingsColumn, "gap-5")}>
        <SwitchLine
          label={t("personalization.memories")}
          help={t("personalization.memoriesHelp")}
          on={memories}
          busy={save.isPending}
          onChange={(on) => change("memory_enabled", on)}
        />
        <SwitchLine
          label={t("personalization.extraction")}
          help={t("personalization.extractionHelp")}
          on={memories && setup.MemoryAutoExtraction === true}
          busy={save.isPending}
          disabled={!memories}
          onChange={(on) => change("memory_auto_extraction", on)}
        />
        <Notice>
          <p>{memories ? t("personalization.where") : t("personalization.whenOff")}</p>
        </Notice>
      </div>
    </PageBody>
  );
}
