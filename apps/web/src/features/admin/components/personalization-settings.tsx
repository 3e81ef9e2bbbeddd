import { useSuspenseQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { PageBody } from "../../../components/ui/page-body.tsx";
import { Switch } from "../../../components/ui/switch.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { setupQuery } from "../../../lib/setup.ts";
import { toast } from "../../../lib/toast.ts";
import { useSwitchPersonalization, type PersonalizationSwitch } from "../api/personalization.ts";
import { SettingsBoundary } from "./settings-boundary.tsx";

/** Turns memories, and extracting them automatically, on or off. Switches apply immediately. */
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
  const save = useSwitchPersonalization();
  const memories = setup.MemoryEnabled === true;
  const change = (name: PersonalizationSwitch, on: boolean): void => {
    if (save.isPending) return;
    save.mutate(
      { name, on },
      { onSuccess: () => toast.success(t(`personalization.${on ? "on" : "off"}.${name}`)) },
    );
  };
  return (
    <PageBody>
      <div className="grid max-w-[560px] gap-5">
        <SwitchRow
          label={t("personalization.memories")}
          help={t("personalization.memoriesHelp")}
          on={memories}
          busy={save.isPending}
          onChange={(on) => change("memory_enabled", on)}
        />
        <SwitchRow
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

/** `busy` while saving: the switch stays focusable. */
function SwitchRow({
  label,
  help,
  on,
  busy,
  disabled = false,
  onChange,
}: {
  label: string;
  help: string;
  on: boolean;
  busy: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="flex items-start gap-5">
      <div className="min-w-0 flex-1">
        <span id={id} className="font-medium">
          {label}
        </span>
        <p id={`${id}-help`} className="text-fg-2">
          {help}
        </p>
      </div>
      <Switch
        className="mt-0.5"
        checked={on}
        aria-labelledby={id}
        aria-describedby={`${id}-help`}
        aria-busy={busy || undefined}
        disabled={disabled}
        onChange={onChange}
      />
    </div>
  );
}
