import { Clock, CloudOff, Copy, Ellipsis, Pencil, X } from "lucide-react";
import { Suspense, memo } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { CopyButton, copyText } from "../../../components/ui/copy-button.tsx";
import { Menu } from "../../../components/ui/overlays.tsx";
import { chip, questionBubble } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { useOffline, useUnreachable } from "../../../lib/connection.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { useIsPhone } from "../../../lib/use-is-phone.ts";
import { endEditing, startEditing, useEditedText } from "../state/draft.ts";
import type { TurnView } from "../state/turn-view.ts";
import type { AnswerActions } from "../state/use-answer-actions.ts";
import { Detail } from "./detail.tsx";
import { TurnEditor } from "./turn-editor.tsx";
import { VersionSwitcher, hiddenActions, versionsOf } from "./version-switcher.tsx";

const ScheduleMark = lazyPart(() => import("../../../components/schedule-mark.tsx"));
const MentionList = lazyPart(() => import("../../../components/ui/mention-list.tsx"));

/** A question with its images, its position in the queue and its other versions. */
export const Question = memo(function Question({
  turn,
  actions,
}: {
  turn: TurnView;
  actions: AnswerActions;
}) {
  const { t } = useTranslation("chat");
  const edited = useEditedText(turn.key, "question");
  const isPhone = useIsPhone();
  if (turn.question === "") return null;
  const waits = turn.place !== null || (turn.pendingId !== null && turn.phase === "queued");
  const edit = (): void => startEditing(turn.key, "question", turn.question);
  const canEdit = turn.chatId !== null && !waits;
  return (
    <div className="grid min-w-0 justify-items-end gap-1.5">
      {turn.attachments.length > 0 && (
        <ul className="flex flex-wrap justify-end gap-1.5" aria-label={t("pictures")}>
          {turn.attachments.map((picture, index) => (
            <li key={`${picture.name}-${index}`}>
              {picture.contentString.startsWith("data:image/") ? (
                <img
                  className="h-24 max-w-60 rounded-md border border-line object-cover"
                  src={picture.contentString}
                  alt={picture.name}
                  title={picture.name}
                />
              ) : (
                <span className={chip}>
                  <b>{picture.name}</b>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {turn.scheduleId !== null && (
        <Suspense fallback={<span className="h-5" />}>
          <ScheduleMark id={turn.scheduleId} />
        </Suspense>
      )}
      {edited !== null ? (
        <TurnEditor
          text={edited}
          label={t("editQuestion")}
          action={t("submitQuestion")}
          enterSaves
          hint={t("editKeeps")}
          onSave={(text) => {
            endEditing();
            actions.onEditQuestion(turn, text);
          }}
        />
      ) : (
        <div className="flex w-full min-w-0 items-end justify-end gap-1.5 max-md:[&_[data-slot=icon-button]]:size-10">
          {!waits && (
            <Detail space="w-14.5 flex-none max-md:w-10">
              {isPhone ? (
                <Menu
                  trigger={
                    <IconButton label={t("questionMenu")}>
                      <Ellipsis />
                    </IconButton>
                  }
                  items={[
                    ...(canEdit ? [{ label: t("editQuestion"), icon: Pencil, run: edit }] : []),
                    {
                      label: t("copyQuestion"),
                      icon: Copy,
                      run: () => void copyText(turn.question),
                    },
                  ]}
                />
              ) : (
                <div className={cn("flex flex-none items-center gap-0.5", hiddenActions)}>
                  {canEdit && (
                    <IconButton label={t("editQuestion")} onClick={edit}>
                      <Pencil />
                    </IconButton>
                  )}
                  <CopyButton text={() => turn.question} />
                </div>
              )}
            </Detail>
          )}
          <div className={questionBubble} data-question dir="auto">
            {turn.choices && (
              <Suspense fallback={<span className="mb-1.5 block h-6" />}>
                <MentionList label={t("mentionedIn")} mentions={turn.choices.mentions} />
              </Suspense>
            )}
            {turn.question}
          </div>
        </div>
      )}
      {waits && (
        <div className="flex items-center gap-1.5 text-sm text-fg-3">
          <QueuePlace place={turn.place} />
          {turn.generationId !== null && turn.chatId !== null && (
            <Button
              variant="quiet"
              size="sm"
              aria-label={t("removeQueuedNamed", { question: turn.question })}
              onClick={() => actions.onRemoveQueued(turn)}
            >
              <X className="size-3.5 stroke-2" aria-hidden="true" />
              {t("removeQueued")}
            </Button>
          )}
        </div>
      )}
      <VersionSwitcher
        kind="question"
        ids={versionsOf(turn).questions}
        current={turn.chatId}
        actions={actions}
      />
    </div>
  );
});

/** The position in the queue, which isn't known while the server is down. */
function QueuePlace({ place }: { place: number | null }) {
  const { t } = useTranslation("chat");
  const unreachable = useUnreachable();
  const offline = useOffline();
  const lost = unreachable || offline;
  const Icon = lost ? CloudOff : Clock;
  return (
    <>
      <Icon className="size-3.5 stroke-2" aria-hidden="true" />
      <span>
        {lost
          ? t("reconnecting")
          : place === null
            ? t("queueing")
            : t("place", { count: place, ordinal: true })}
      </span>
    </>
  );
}
