import { useBlocker } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
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
    <footer className="save">
      <button type="submit" className="btn primary" disabled={!dirty || busy}>
        {busy ? t("saving") : t("save")}
      </button>
      {dirty && (
        <button type="button" className="btn quiet" disabled={busy} onClick={onDiscard}>
          {t("discard")}
        </button>
      )}
      <span className="grow" />
      <span className="t3 xs num" role="status">
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
    </footer>
  );
}
