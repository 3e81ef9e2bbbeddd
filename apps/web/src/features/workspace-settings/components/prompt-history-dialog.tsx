import { useQuery } from "@tanstack/react-query";
import { RotateCcw, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { FailedQuery, Notice } from "../../../components/ui/notice.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
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
        // The button that was pressed is gone, so focus the one in its place.
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
      className="w-[min(560px,100vw-24px)]"
    >
      {history.error && (
        <FailedQuery
          retryLabel={t("retry")}
          error={history.error}
          retry={() => void history.refetch()}
        />
      )}
      {history.isPending && <Skeleton aria-label={t("loading")} />}
      {history.data && entries.length === 0 && (
        <p className="text-fg-2" role="status">
          {t("earlierNone")}
        </p>
      )}
      {entries.length > 0 && (
        <ol
          className="max-h-[46dvh] overflow-auto rounded-md border border-line bg-surface scrollbar-thin"
          ref={list}
          tabIndex={0}
          aria-label={t("earlierTitle")}
        >
          {entries.map((entry, index) => {
            const when = formatAgo(entry.modifiedAt);
            return (
              <li
                key={entry.id}
                className="grid gap-1.5 border-subtle px-3 pt-2 pb-3 not-first:border-t"
              >
                <div className="flex min-h-7 items-center gap-1">
                  <span className="text-fg-3 text-xs min-w-0 flex-1">
                    {entry.user
                      ? t("earlierBy", { when, name: entry.user.username })
                      : t("earlierUntil", { when })}
                  </span>
                  <Button
                    size="sm"
                    aria-label={t("restoreOf", { when })}
                    onClick={() => onRestore(entry.prompt)}
                  >
                    <RotateCcw className="size-3.5 stroke-2" aria-hidden="true" />
                    {t("restore")}
                  </Button>
                  <IconButton
                    data-forget
                    label={t("deletePromptOf", { when })}
                    onClick={() => deleteEntry(entry, index)}
                  >
                    <Trash2 className="size-3.5 stroke-2" />
                  </IconButton>
                </div>
                <p className="max-h-[120px] overflow-hidden wrap-anywhere whitespace-pre-wrap">
                  {entry.prompt}
                </p>
              </li>
            );
          })}
        </ol>
      )}
      {failure && (
        <Notice kind="bad">
          <p>{t("promptNotDeleted", { message: failure.message })}</p>
        </Notice>
      )}
      <DialogFooter>
        {entries.length > 0 && (
          <Button variant="quiet" onClick={() => setClearing(true)}>
            {t("deleteAll")}
          </Button>
        )}
        <span className="min-w-0 flex-1" />
        <Button ref={foot} onClick={onClose}>
          {t("common:close")}
        </Button>
      </DialogFooter>
      {clearing && (
        <ConfirmDialog
          open
          title={t("deleteAllTitle")}
          text={t("deleteAllText")}
          action={t("deleteAll")}
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
