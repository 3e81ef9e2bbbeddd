import { clsx } from "clsx";
import { ChevronDown, ChevronRight, ThumbsDown, ThumbsUp, Trash2 } from "lucide-react";
import { useId, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import MentionList from "../../../components/ui/mention-list.tsx";
import { formatAgo, formatDateTime } from "../../../lib/format.ts";
import type { RecordedChat } from "../api/recorded-chats.ts";
import { bodyRow, rowButton } from "./data-table.tsx";
import { RecordedAnswer } from "./recorded-answer.tsx";

/** A question that expands to the answer with its sources and rating. */
export function RecordedChatRow({
  chat,
  hasUser,
  isOpen,
  onToggle,
  onDelete,
}: {
  chat: RecordedChat;
  /** Whether there are user accounts. */
  hasUser: boolean;
  isOpen: boolean;
  onToggle: () => void;
  onDelete: () => void;
}) {
  const { t } = useTranslation("recorded");
  const id = useId();
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <div className={clsx(bodyRow, isOpen && "border-transparent bg-hover")} role="row">
        <div role="cell" className="min-w-0 max-md:col-span-2 max-md:col-start-1">
          <button
            type="button"
            className={rowButton}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={onToggle}
          >
            <Chevron
              className={clsx("size-3.5 flex-none stroke-2", !isOpen && "rtl:-scale-x-100")}
              aria-hidden="true"
            />
            <span className="truncate">{chat.prompt}</span>
          </button>
        </div>
        {hasUser && (
          <div role="cell" className="min-w-0 truncate text-fg-2 max-md:col-start-1 max-md:text-xs">
            {chat.user.username}
          </div>
        )}
        <div role="cell" className="min-w-0 truncate text-fg-2 max-md:col-start-1 max-md:text-xs">
          {chat.workspace.name}
        </div>
        <div role="cell" className="max-md:col-start-1">
          <Rating chat={chat} />
        </div>
        <div role="cell" className="max-md:col-start-1">
          <time
            className="text-xs text-fg-3 tabular-nums"
            dateTime={chat.createdAt}
            title={formatDateTime(Date.parse(chat.createdAt))}
          >
            {formatAgo(chat.createdAt)}
          </time>
        </div>
      </div>
      {isOpen && (
        <div role="row">
          <div
            role="cell"
            aria-colspan={hasUser ? 5 : 4}
            className="border-b border-subtle bg-hover px-6 pb-4 max-md:px-4"
            id={id}
            aria-label={t("details", {
              user: chat.user.username,
              when: formatDateTime(Date.parse(chat.createdAt)),
            })}
          >
            <Details chat={chat} />
            <Button variant="danger-outline" className="mt-3 max-md:h-11" onClick={onDelete}>
              <Trash2 className="size-3.5 stroke-2" aria-hidden="true" />
              {t("delete")}
            </Button>
          </div>
        </div>
      )}
    </>
  );
}

function Rating({ chat: { feedbackScore, include } }: { chat: RecordedChat }) {
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

function Details({ chat }: { chat: RecordedChat }) {
  const { t } = useTranslation(["recorded", "chat"]);
  const { reason } = chat;
  const why = reason && [t(`chat:feedbackReason.${reason.reason}`), reason.comment];
  return (
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
  );
}

const Part = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-xs text-fg-3">{name}</dt>
    <dd className="wrap-anywhere whitespace-pre-wrap">{children}</dd>
  </div>
);
