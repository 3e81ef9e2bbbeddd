import { FlaskConical, History, Redo2, Undo2, Webhook } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { withShortcut } from "../../../lib/keyboard.ts";
import { useSubmission } from "../../../lib/query-client.ts";
import { toast } from "../../../lib/toast.ts";
import type { BuilderPanel } from "../state/panels.ts";
import { useScope } from "./builder-context.ts";
import { MoreMenu } from "./more-menu.tsx";
import { ProblemList } from "./problem-list.tsx";

/** Undo, redo, the panels, and saving, in the bar above the builder. */
export function BuilderBar({
  panel,
  onPanel,
}: {
  panel: BuilderPanel | null;
  onPanel: (panel: BuilderPanel) => void;
}) {
  const { t } = useTranslation("flows");
  const { builder } = useScope();
  const [asking, setAsking] = useState(false);
  const { submit, busy, error, clearError } = useSubmission(async () => {
    if (await builder.save()) toast.success(t("builder.saved"));
  });
  const mustCorrect = builder.problems.some(
    ({ code }) => code === "noName" || code === "tooMany" || code === "tooDeep",
  );
  const save = (): void => {
    setAsking(false);
    submit(undefined);
  };
  const onSave = (): void => {
    builder.showProblems();
    if (builder.problems.length > 0) setAsking(true);
    else save();
  };
  return (
    <>
      <span className="flex-none text-xs text-fg-3 max-md:sr-only" role="status">
        {builder.isChanged
          ? t("builder.unsaved")
          : builder.flowId !== null && t("builder.allSaved")}
      </span>
      <div className="flex flex-none items-center gap-0.5 ps-2 max-md:ps-0">
        <IconButton
          label={withShortcut(t("builder.undo"), "Z")}
          disabled={!builder.canUndo}
          onClick={builder.undo}
        >
          <Undo2 />
        </IconButton>
        <IconButton
          label={withShortcut(t("builder.redo"), "⇧", "Z")}
          disabled={!builder.canRedo}
          onClick={builder.redo}
        >
          <Redo2 />
        </IconButton>
        <IconButton
          className={builder.flowId === null ? undefined : "max-md:hidden"}
          label={t("builder.versions")}
          aria-pressed={panel === "versions"}
          onClick={() => onPanel("versions")}
        >
          <History />
        </IconButton>
        <IconButton
          className={builder.flowId === null ? undefined : "max-md:hidden"}
          label={t("builder.triggers")}
          aria-pressed={panel === "triggers"}
          onClick={() => onPanel("triggers")}
        >
          <Webhook />
        </IconButton>
        {builder.flowId !== null && <MoreMenu flowId={builder.flowId} onPanel={onPanel} />}
      </div>
      <Button
        size="sm"
        className="ms-1.5 max-md:ms-0 max-md:px-2"
        aria-pressed={panel === "test"}
        aria-label={t("builder.test")}
        onClick={() => onPanel("test")}
      >
        <FlaskConical className="size-3.5 stroke-2" aria-hidden="true" />
        <span className="max-md:sr-only">{t("builder.test")}</span>
      </Button>
      <Button
        size="sm"
        variant="primary"
        className="ms-1.5"
        disabled={!builder.isChanged || busy}
        onClick={onSave}
      >
        {busy ? t("builder.saving") : t("builder.save")}
      </Button>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t("problem.beforeSaving", { count: builder.problems.length })}
        description={t(mustCorrect ? "problem.mustCorrect" : "problem.beforeSavingText")}
      >
        <ProblemList onPick={() => setAsking(false)} />
        <DialogFooter>
          <Button variant="quiet" onClick={() => setAsking(false)}>
            {t("problem.keepEditing")}
          </Button>
          {!mustCorrect && (
            <Button variant="primary" onClick={save}>
              {t("problem.saveAnyway")}
            </Button>
          )}
        </DialogFooter>
      </Dialog>
      <Dialog open={error !== null} onClose={clearError} title={t("builder.saveFailed")}>
        <Notice kind="bad">
          <p>{error?.message}</p>
        </Notice>
        <DialogFooter>
          <Button variant="primary" onClick={clearError}>
            {t("problem.keepEditing")}
          </Button>
        </DialogFooter>
      </Dialog>
    </>
  );
}
