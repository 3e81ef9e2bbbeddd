import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import "../../../components/live-sync/texts.ts";
import { PageBody, settingsColumn } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { SwitchLine } from "../../../components/ui/switch-line.tsx";
import { cn } from "../../../lib/cn.ts";
import { toast } from "../../../lib/toast.ts";
import { allWatchesQuery, useToggleLiveSync } from "../../../lib/watches.ts";
import { SettingsBoundary } from "./settings-page.tsx";

/** Turns features that may still change on or off. */
export function BetaFeatures() {
  return (
    <SettingsBoundary>
      <Switches />
    </SettingsBoundary>
  );
}

function Switches() {
  const { t } = useTranslation("live-sync");
  const { enabled } = useSuspenseQuery(allWatchesQuery).data;
  const toggle = useToggleLiveSync();
  return (
    <PageBody>
      <div className={cn(settingsColumn, "gap-5")}>
        <div className="grid gap-1">
          <SwitchLine
            label={t("beta.liveSync")}
            help={t("beta.liveSyncHelp")}
            on={toggle.isPending ? toggle.variables : enabled}
            busy={toggle.isPending}
            onChange={(on) => {
              toggle.mutate(on, {
                onSuccess: ({ liveSyncEnabled }) =>
                  toast.success(t(liveSyncEnabled ? "beta.on" : "beta.offToast")),
              });
            }}
          />
          {enabled && (
            <Link
              className={cn(linkStyles, "justify-self-start")}
              to="/settings/$"
              params={{ _splat: "beta-features/live-document-sync/manage" }}
            >
              {t("beta.manage")}
            </Link>
          )}
        </div>
        <SwitchLine
          label={t("beta.plugins")}
          help={t("beta.pluginsHelp")}
          on
          disabled
          onChange={() => undefined}
        />
        <Notice>
          <p>{t("beta.note")}</p>
        </Notice>
      </div>
    </PageBody>
  );
}
