import { ThumbsDown, ThumbsUp, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import MentionList from "../../../components/ui/mention-list.tsx";
import type { RecordedChat } from "../api/recorded-chats.ts";
import { RecordedAnswer } from "./recorded-answer.tsx";

export function RecordedRating({ chat: { feedbackScore, include } }: { chat: RecordedChat }) {
  const { t } = useTranslation("recorded");
  if (feedbackScore === null && include) return null;
  return (
    <span className="flex flex-wrap gap-1">
      {feedbackScore !== null && (
        <Badge tone={feedbackScore ? "success" : "danger"}>
          {feedbackScore ? (
            <ThumbsUp className="size-3 stroke-2" aria-hidden="true" />
          ) : (
            <ThumbsDown className="size-3 stroke-2" aria-hidden="true" />
          )}
          {t(feedbackScore ? "good" : "bad")}
        </Badge>
      )}
      {!include && <Badge title={t("notIncludedHelp")}>{t("notIncluded")}</Badge>}
    </span>
  );
}

/** The answer to a question with its sources and rating. */
export function RecordedChatDetails({
  chat,
  onDelete,
}: {
  chat: RecordedChat;
  onDelete: () => void;
}) {
  const { t } = useTranslation(["recorded", "chat"]);
  const { reason } = chat;
  const why = reason && [t(`chat:feedbackReason.${reason.reason}`), reason.comment];
  return (
    <>
      <dl className="grid max-w-[90ch] gap-3 rounded-md border border-subtle bg-surface px-4 py-3">
        <Part name={t("question")}>
          {chat.mentions.length > 0 && (
            <MentionList label={t("chat:mentionedIn")} mentions={chat.mentions} />
          )}
          {chat.prompt}
        </Part>
        <Part name={t("answer")}>
          <RecordedAnswer answer={chat.answer} reasoning={chat.reasoning} empty={t("noAnswer")} />
        </Part>
        {why && (
          <Part name={t("rating")}>
            {t("badBecause", { reason: why.filter((part) => part).join(": ") })}
          </Part>
        )}
        {chat.sources.length > 0 && (
          <Part name={t("sources")}>
            <ol className="list-decimal ps-5 whitespace-normal">
              {chat.sources.map(({ title, page }, index) => (
                // The same passage may be cited twice.
                <li key={index}>{page === null ? title : t("sourcePage", { title, page })}</li>
              ))}
            </ol>
          </Part>
        )}
        {chat.attachments.length > 0 && (
          <Part name={t("attachments")}>{chat.attachments.join(", ")}</Part>
        )}
        {(chat.model !== null || chat.isQuoting) && (
          <Part name={t("model")}>{chat.isQuoting ? t("quoting") : chat.model}</Part>
        )}
      </dl>
      <Button variant="danger-outline" className="mt-3 max-md:h-11" onClick={onDelete}>
        <Trash2 className="size-3.5 stroke-2" aria-hidden="true" />
        {t("delete")}
      </Button>
    </>
  );
}

const Part = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-xs text-fg-3">{name}</dt>
    <dd className="wrap-anywhere whitespace-pre-wrap">{children}</dd>
  </div>
);
