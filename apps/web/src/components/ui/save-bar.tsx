import { useBlocker } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button.tsx";
import { ConfirmDialog } from "./dialogs.tsx";

/** The buttons of a form, below its scrolling body. */
const ActionBar = ({ children }: { children: ReactNode }) => (
  <footer
    data-bottom-bar
    className="flex flex-none items-center gap-2 border-t border-subtle bg-surface px-6 py-3 max-md:sticky max-md:bottom-0 max-md:z-2 max-md:px-4 max-md:[&>button]:h-11"
  >
    {children}
  </footer>
);

/**
 * The bar at the end of every settings page that saves anything: its button, the number of changes,
 * and a warning before leaving the page with unsaved ones.
 */
export function SaveBar({
  changes,
  unsavedElsewhere = false,
  faults,
  busy,
  action,
  canSave = changes > 0,
  onDiscard,
}: {
  changes: number;
  /** Whether leaving the page loses more than the changes counted here. */
  unsavedElsewhere?: boolean;
  faults: number;
  busy: boolean;
  /** The button's label, if saving does more than save. */
  action?: string;
  /** Whether there is something to save even without changes. */
  canSave?: boolean;
  onDiscard: () => void;
}) {
  const { t } = useTranslation();
  const dirty = changes > 0;
  const blocked = useBlocker({
    shouldBlockFn: () => dirty || unsavedElsewhere,
    enableBeforeUnload: () => dirty || unsavedElsewhere,
    withResolver: true,
  });
  return (
    <ActionBar>
      <Button type="submit" variant="primary" disabled={!canSave || busy}>
        {busy ? t("saveBar.saving") : (action ?? t("saveBar.save"))}
      </Button>
      {dirty && (
        <Button variant="quiet" disabled={busy} onClick={onDiscard}>
          {t("saveBar.discard")}
        </Button>
      )}
      <span className="min-w-0 flex-1" />
      <span className="text-fg-3 text-xs tabular-nums" role="status">
        {[
          dirty && t("saveBar.changes", { count: changes }),
          faults > 0 && t("saveBar.toCorrect", { count: faults }),
        ]
          .filter(Boolean)
          .join(" · ")}
      </span>
      {blocked.status === "blocked" && (
        <ConfirmDialog
          open
          title={t("saveBar.leaveTitle")}
          text={t("saveBar.leaveText")}
          action={t("saveBar.leave")}
          onConfirm={async () => blocked.proceed()}
          onClose={() => blocked.reset()}
        />
      )}
    </ActionBar>
  );
}
