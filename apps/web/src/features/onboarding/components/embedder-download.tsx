import { useId } from "react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { FieldHelp } from "../../../components/ui/field.tsx";
import { Switch } from "../../../components/ui/switch.tsx";
import type { NativeState } from "../../../lib/native-state.ts";

/** Says whether the built-in embedder's model is there, and if not, whether to download it. */
export function EmbedderDownload({
  native,
  isWanted,
  onChange,
}: {
  native: NativeState;
  /** Whether it may be downloaded; null if the server doesn't allow it. */
  isWanted: boolean | null;
  onChange: (isWanted: boolean) => void;
}) {
  const { t } = useTranslation("onboarding");
  const [label, help] = [useId(), useId()];
  if (native.state === "ready" || native.state === "downloading")
    return <FieldHelp>{t(`model.embedder.${native.state}`)}</FieldHelp>;
  if (isWanted === null) return <FieldHelp>{t("model.embedder.disabled")}</FieldHelp>;
  return (
    <div className="grid gap-1.5">
      <div className="flex items-center justify-between gap-4">
        <span className="font-medium" id={label}>
          {t("model.embedder.download")}
        </span>
        <Switch
          checked={isWanted}
          onChange={onChange}
          aria-labelledby={label}
          aria-describedby={help}
        />
      </div>
      <FieldHelp id={help}>
        {isWanted && native.fault?.code === "embedder.download-failed" ? (
          <FaultText fault={native.fault} fallback={t("model.embedder.on")} />
        ) : (
          t(isWanted ? "model.embedder.on" : "model.embedder.off")
        )}
      </FieldHelp>
    </div>
  );
}
