import type { SharedTurn } from "@carrel/contracts";
import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useRef, type ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import MentionList from "../../../components/ui/mention-list.tsx";
import { questionBubble } from "../../../components/ui/question-bubble.ts";
import { formatDateTime, formatTime } from "../../../lib/format.ts";
import { sharedThreadQuery } from "../api/shared-thread.ts";
import { SharedFrame } from "./shared-frame.tsx";
import { SharedSources, showSource } from "./shared-sources.tsx";

/** Draws an answer's text; `onCite` opens the source with this number. */
type AnswerText = ComponentType<{ turn: SharedTurn; onCite: (number: number) => void }>;

/** A conversation as its link shows it. */
export function SharedThreadPage({ token, AnswerText }: { token: string; AnswerText: AnswerText }) {
  const { t } = useTranslation("share");
  const query = useSuspenseInfiniteQuery(sharedThreadQuery(token));
  const [first] = query.data.pages;
  if (!first) return null;
  const title = first.name ?? t("page.untitled");
  return (
    <SharedFrame title={title}>
      <h1 className="text-xl font-semibold tracking-snug wrap-anywhere" dir="auto">
        {title}
      </h1>
      <p className="mt-1 text-sm text-fg-3">
        {t("page.sharedAt", { time: formatTime(Date.parse(first.sharedAt)) })}
        {" · "}
        {t("page.readOnly")}
      </p>
      <ol className="mt-8 grid grid-cols-1 gap-8 max-md:mt-6">
        {query.data.pages.flatMap(({ turns }, page) =>
          turns.map((turn, index) => (
            <li key={`${page}-${index}`} className="grid min-w-0 grid-cols-1 gap-4">
              <Turn turn={turn} AnswerText={AnswerText} />
            </li>
          )),
        )}
      </ol>
      {query.isFetchNextPageError && (
        <Notice kind="bad" className="mt-6">
          <p>{t("page.moreFailed", { message: query.error?.message })}</p>
        </Notice>
      )}
      {query.hasNextPage && (
        <Button
          className="mt-8 max-md:h-11 max-md:w-full"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {query.isFetchingNextPage ? t("page.loadingMore") : t("page.more")}
        </Button>
      )}
    </SharedFrame>
  );
}

function Turn({ turn, AnswerText }: { turn: SharedTurn; AnswerText: AnswerText }) {
  const { t } = useTranslation("share");
  const answer = useRef<HTMLElement>(null);
  const cite = useCallback((number: number): void => {
    if (answer.current) showSource(answer.current, number);
  }, []);
  const sentAt = Date.parse(turn.sentAt);
  return (
    <>
      <h2 className={`${questionBubble} font-normal`} dir="auto">
        <span className="sr-only">{t("page.question")}: </span>
        {turn.mentions && <MentionList label={t("page.mentioned")} mentions={turn.mentions} />}
        {turn.question}
      </h2>
      <article ref={answer} className="min-w-0" aria-label={t("page.answer")}>
        <AnswerText turn={turn} onCite={cite} />
        {turn.sources.length > 0 && turn.answerKind !== "closest-passages" && (
          <SharedSources sources={turn.sources} />
        )}
        <p className="mt-3 text-xs text-fg-3 tabular-nums" title={formatDateTime(sentAt)}>
          {[turn.model, formatTime(sentAt)].filter(Boolean).join(" · ")}
        </p>
      </article>
    </>
  );
}
