import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Segmented } from "../../../components/ui/segmented.tsx";
import type { BrowserKind } from "../../../lib/provider-form.ts";
import { ProviderSettings } from "./provider-settings.tsx";

/** Providers for reading answers aloud and for dictation. */
export function AudioSettings() {
  const { t } = useTranslation("settings");
  const [kind, setKind] = useState<BrowserKind>("speech");
  const kinds: BrowserKind[] = ["speech", "dictation"];
  return (
    <>
      <div className="border-b border-subtle px-6 py-3 max-md:px-4">
        <Segmented
          label={t("audioPart")}
          value={kind}
          options={kinds.map((value) => ({ value, label: t(`page.${value}`) }))}
          onChange={setKind}
        />
      </div>
      <ProviderSettings key={kind} kind={kind} />
    </>
  );
}
