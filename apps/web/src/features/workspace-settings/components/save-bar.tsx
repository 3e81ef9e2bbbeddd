import { useBlocker } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ActionBar } from "../../../components/ui/action-bar.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";

/** The button that saves changes. Warns before leaving the page with unsaved ones. */
export function SaveBar({
  changes,
  faults,
  busy,
  onDiscard,
}: {
  changes: number;
  faults: number;
  busy: boolean;
  onDiscard: () => void;
}) {
  const { t } = useTranslation("workspace");
  const dirty = changes > 0;
  const blocked = useBlocker({
    shouldBlockFn: () => dirty,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  });
  return (
    <ActionBar>
      <Button type="submit" variant="primary" disabled={!dirty || busy}>
        {busy ? t("saving") : t("save")}
      </Button>
      {dirty && (
        <Button variant="quiet" disabled={busy} onClick={onDiscard}>
          {t("discard")}
        </Button>
      )}
      <span className="min-w-0 flex-1" />
      <span className="text-fg-3 text-xs tabular-nums" role="status">
        {[
          dirty && t("changes", { count: changes }),
          faults > 0 && t("toCorrect", { count: faults }),
        ]
          .filter(Boolean)
          .join(" · ")}
      </span>
      {blocked.status === "blocked" && (
        <ConfirmDialog
          open
          title={t("leaveTitle")}
          text={t("leaveText")}
          action={t("leave")}
          onConfirm={async () => blocked.proceed()}
          onClose={() => blocked.reset()}
        />
      )}
    </ActionBar>
  );
}
