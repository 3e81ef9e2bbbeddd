import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/ui/notice.tsx";
import { setupQuery } from "../../../lib/setup.ts";
import { toast } from "../../../lib/toast.ts";
import { savePersonalization, type PersonalizationSwitch } from "../api/personalization.ts";

/**
 * Whether people have memories, and whether a model notes some by itself. A switch holds at once.
 */
export function PersonalizationSettings() {
  const { t } = useTranslation("settings");
  const setup = useQuery(setupQuery);
  const [saving, setSaving] = useState<{ name: PersonalizationSwitch; on: boolean } | null>(null);
  if (setup.error)
    return (
      <div className="set-body">
        <Notice
          kind="bad"
          action={
            <button type="button" className="btn sm" onClick={() => void setup.refetch()}>
              {t("retry")}
            </button>
          }
        >
          <p>
            <b>{t("loadFailed")}</b>
          </p>
          <p>{setup.error.message}</p>
        </Notice>
      </div>
    );
  if (!setup.data)
    return (
      <div className="set-body grid content-start gap-4" aria-busy="true" aria-label={t("loading")}>
        {[40, 70, 55].map((width) => (
          <span className="skel" key={width} style={{ inlineSize: `${width}%` }} />
        ))}
      </div>
    );
  const saved: Record<PersonalizationSwitch, boolean> = {
    memory_enabled: setup.data.MemoryEnabled === true,
    memory_auto_extraction: setup.data.MemoryAutoExtraction === true,
  };
  const shown = saving === null ? saved : { ...saved, [saving.name]: saving.on };
  const change = async (name: PersonalizationSwitch, on: boolean): Promise<void> => {
    if (saving !== null) return;
    setSaving({ name, on });
    try {
      await savePersonalization(name, on);
      toast.success(t(`personalization.${on ? "on" : "off"}.${name}`));
    } catch (error) {
      toast.error(
        t("personalization.failed", {
          message: error instanceof Error ? error.message : String(error),
        }),
      );
    } finally {
      setSaving(null);
    }
  };
  return (
    <div className="set-body">
      <div className="form">
        <SwitchRow
          label={t("personalization.memories")}
          help={t("personalization.memoriesHelp")}
          on={shown.memory_enabled}
          busy={saving !== null}
          onChange={(on) => void change("memory_enabled", on)}
        />
        <SwitchRow
          label={t("personalization.extraction")}
          help={t("personalization.extractionHelp")}
          on={shown.memory_enabled && shown.memory_auto_extraction}
          busy={saving !== null}
          disabled={!shown.memory_enabled}
          onChange={(on) => void change("memory_auto_extraction", on)}
        />
        <Notice>
          <p>{shown.memory_enabled ? t("personalization.where") : t("personalization.whenOff")}</p>
        </Notice>
      </div>
    </div>
  );
}

/** `busy`: what was switched is being saved; the switch keeps the keyboard. */
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
    <div className="switch-row">
      <div className="grow">
        <span id={id} className="med">
          {label}
        </span>
        <p id={`${id}-help`} className="t2">
          {help}
        </p>
      </div>
      <button
        type="button"
        role="switch"
        className="switch"
        aria-checked={on}
        aria-labelledby={id}
        aria-describedby={`${id}-help`}
        aria-busy={busy || undefined}
        disabled={disabled}
        onClick={() => onChange(!on)}
      />
    </div>
  );
}
