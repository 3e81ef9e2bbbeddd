import { useRef, type FormEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { PageBody, SaveBar, settingsColumn } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { cn } from "../../../lib/cn.ts";
import { useSubmission } from "../../../lib/query-client.ts";
import { toast, undoing } from "../../../lib/toast.ts";

/**
 * A settings form: validation errors appear at their fields, server errors above the button, and
 * nothing typed is lost. `onSave` throws an error whose message is shown; it may return an undo
 * function for the toast.
 */
export function SettingsForm({
  label,
  done,
  changes,
  faults,
  onSave,
  onDiscard,
  children,
}: {
  label: string;
  /** Toast after saving; by default it says that the workspace was saved. */
  done?: string;
  changes: number;
  faults: number;
  onSave: () => Promise<void | (() => Promise<unknown>)>;
  onDiscard: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation("workspace");
  const form = useRef<HTMLFormElement>(null);
  const { submit, busy, error, clearError } = useSubmission(async () => {
    const undo = await onSave();
    toast.success(done ?? t("saved"), undo ? undoing(undo) : undefined);
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy || changes === 0) return;
    if (faults > 0)
      return form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    submit(undefined);
  };
  return (
    <form
      ref={form}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
      aria-label={label}
      onSubmit={onSubmit}
      noValidate
    >
      <PageBody>
        <div className={cn(settingsColumn, "gap-8")}>{children}</div>
      </PageBody>
      {error && (
        <div className="flex-none px-6 pb-3 max-md:px-4">
          <div className={settingsColumn}>
            <Notice kind="bad">
              <p>
                <b>{t("notSaved")}</b> {error.message}
              </p>
            </Notice>
          </div>
        </div>
      )}
      <SaveBar
        changes={changes}
        faults={faults}
        busy={busy}
        onDiscard={() => {
          onDiscard();
          clearError();
        }}
      />
    </form>
  );
}
