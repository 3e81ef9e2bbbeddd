import { useQuery } from "@tanstack/react-query";
import { RotateCcw, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { formatAgo } from "../../../lib/format.ts";
import {
  promptHistoryQuery,
  useClearPromptHistory,
  useDeletePromptHistoryEntry,
  type EarlierPrompt,
} from "../api/prompt.ts";

/**
 * Previous prompts, newest first. Restoring one puts it in the field; it is saved with the form.
 */
export default function PromptHistoryDialog({
  slug,
  onRestore,
  onClose,
}: {
  slug: string;
  onRestore: (prompt: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(["workspace", "common"]);
  const history = useQuery(promptHistoryQuery(slug));
  const list = useRef<HTMLOListElement>(null);
  const foot = useRef<HTMLButtonElement>(null);
  const [clearing, setClearing] = useState(false);
  const remove = useDeletePromptHistoryEntry(slug);
  const clear = useClearPromptHistory(slug);
  const failure = remove.error ?? clear.error;
  const deleteEntry = (entry: EarlierPrompt, index: number): void => {
    clear.reset();
    remove.mutate(entry.id, {
      onSuccess: () => {
        // The button that was pressed is gone: focus the one that took its place.
        const buttons = list.current?.querySelectorAll<HTMLElement>("[data-forget]") ?? [];
        (buttons[Math.min(index, buttons.length - 1)] ?? foot.current)?.focus();
      },
    });
  };
  const entries = history.data ?? [];
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("earlierTitle")}
      description={t("earlierText")}
      className="form-dialog"
    >
      {history.error && (
        <Notice
          kind="bad"
          action={
            <button type="button" className="btn sm" onClick={() => void history.refetch()}>
              {t("retry")}
            </button>
          }
        >
          <p>{history.error.message}</p>
        </Notice>
      )}
      {history.isPending && <span className="skel" aria-label={t("loading")} />}
      {history.data && entries.length === 0 && (
        <p className="t2" role="status">
          {t("earlierNone")}
        </p>
      )}
      {entries.length > 0 && (
        <ol className="earlier" ref={list} tabIndex={0} aria-label={t("earlierTitle")}>
          {entries.map((entry, index) => {
            const when = formatAgo(entry.modifiedAt);
            return (
              <li key={entry.id}>
                <div className="card-head">
                  <span className="t3 xs grow">
                    {entry.user
                      ? t("earlierBy", { when, name: entry.user.username })
                      : t("earlierUntil", { when })}
                  </span>
                  <button
                    type="button"
                    className="btn sm"
                    aria-label={t("restoreOf", { when })}
                    onClick={() => onRestore(entry.prompt)}
                  >
                    <RotateCcw className="i sm" aria-hidden="true" />
                    {t("restore")}
                  </button>
                  <IconButton
                    data-forget
                    label={t("forgetOf", { when })}
                    onClick={() => deleteEntry(entry, index)}
                  >
                    <Trash2 className="i sm" />
                  </IconButton>
                </div>
                <p className="earlier-text">{entry.prompt}</p>
              </li>
            );
          })}
        </ol>
      )}
      {failure && (
        <Notice kind="bad">
          <p>{t("promptNotForgotten", { message: failure.message })}</p>
        </Notice>
      )}
      <footer>
        {entries.length > 0 && (
          <button type="button" className="btn quiet" onClick={() => setClearing(true)}>
            {t("forgetAll")}
          </button>
        )}
        <span className="grow" />
        <button ref={foot} type="button" className="btn" onClick={onClose}>
          {t("common:close")}
        </button>
      </footer>
      {clearing && (
        <ConfirmDialog
          open
          title={t("forgetAllTitle")}
          text={t("forgetAllText")}
          action={t("forgetAll")}
          onConfirm={() => {
            remove.reset();
            return clear.mutateAsync();
          }}
          onClose={() => {
            setClearing(false);
            foot.current?.focus();
          }}
        />
      )}
    </Dialog>
  );
}
