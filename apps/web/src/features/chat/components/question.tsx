import { ChevronLeft, ChevronRight, Clock, Copy, Ellipsis, Pencil, X } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { Menu } from "../../../components/ui/menu.tsx";
import { copyText } from "../../../lib/clipboard.ts";
import { endEditing, startEditing, useEdited } from "../state/editing.ts";
import { useNarrow } from "../state/narrow.ts";
import type { TurnView } from "../state/turn-view.ts";
import type { AnswerActions } from "./answer.tsx";
import { TurnEditor } from "./turn-editor.tsx";

/** ‹ 2/3 ›: the versions of this turn; the others are kept with everything that followed them. */
function Branches({ turn, actions }: { turn: TurnView; actions: AnswerActions }) {
  const { t } = useTranslation("chat");
  const at = turn.siblings.indexOf(turn.chatId ?? -1);
  if (turn.siblings.length < 2 || at === -1) return null;
  const go = (step: number): void => {
    const other = turn.siblings[at + step];
    if (other !== undefined) actions.onBranch(other);
  };
  return (
    <div className="branches" role="group" aria-label={t("versions")}>
      <IconButton
        label={t("versionBefore")}
        disabled={at === 0 || actions.busy}
        onClick={() => go(-1)}
      >
        <ChevronLeft className="i sm flip" />
      </IconButton>
      <span
        className="num"
        aria-label={t("versionOf", { number: at + 1, count: turn.siblings.length })}
      >
        {at + 1}/{turn.siblings.length}
      </span>
      <IconButton
        label={t("versionAfter")}
        disabled={at === turn.siblings.length - 1 || actions.busy}
        onClick={() => go(1)}
      >
        <ChevronRight className="i sm flip" />
      </IconButton>
    </div>
  );
}

/** A question with its images, its position in the queue and its other versions. */
export const Question = memo(function Question({
  turn,
  actions,
}: {
  turn: TurnView;
  actions: AnswerActions;
}) {
  const { t } = useTranslation("chat");
  const edited = useEdited(turn.key, "question");
  const narrow = useNarrow();
  if (turn.question === "") return null;
  const waits = turn.place !== null || (turn.waitingId !== null && turn.phase === "queued");
  const edit = (): void => startEditing(turn.key, "question", turn.question);
  const canEdit = turn.chatId !== null && !waits;
  return (
    <div className="asked">
      {turn.attachments.length > 0 && (
        <ul className="pictures" aria-label={t("pictures")}>
          {turn.attachments.map((picture, index) => (
            <li key={`${picture.name}-${index}`}>
              {picture.contentString.startsWith("data:image/") ? (
                <img src={picture.contentString} alt={picture.name} title={picture.name} />
              ) : (
                <span className="chip">
                  <b>{picture.name}</b>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {edited !== null ? (
        <TurnEditor
          text={edited}
          label={t("editQuestion")}
          action={t("askThis")}
          enterSaves
          hint={t("editKeeps")}
          onSave={(text) => {
            endEditing();
            actions.onEditQuestion(turn, text);
          }}
        />
      ) : (
        <div className="asked-row">
          {!waits &&
            (narrow ? (
              <Menu
                trigger={
                  <IconButton label={t("questionMenu")}>
                    <Ellipsis className="i" />
                  </IconButton>
                }
                items={[
                  ...(canEdit ? [{ label: t("editQuestion"), icon: Pencil, run: edit }] : []),
                  { label: t("copyQuestion"), icon: Copy, run: () => void copyText(turn.question) },
                ]}
              />
            ) : (
              <div className="acts asked-acts">
                {canEdit && (
                  <IconButton label={t("editQuestion")} onClick={edit}>
                    <Pencil className="i" />
                  </IconButton>
                )}
                <CopyButton text={() => turn.question} />
              </div>
            ))}
          <div className="mine" dir="auto">
            {turn.question}
          </div>
        </div>
      )}
      {waits && (
        <div className="waits">
          <Clock className="i sm" aria-hidden="true" />
          <span>
            {turn.place === null ? t("queueing") : t("place", { count: turn.place, ordinal: true })}
          </span>
          {turn.generationId !== null && turn.chatId !== null && (
            <button
              type="button"
              className="btn quiet sm"
              aria-label={t("removeQueuedNamed", { question: turn.question })}
              onClick={() => actions.onRemoveQueued(turn)}
            >
              <X className="i sm" aria-hidden="true" />
              {t("removeQueued")}
            </button>
          )}
        </div>
      )}
      <Branches turn={turn} actions={actions} />
    </div>
  );
});
