import type { SharedSource, SharedTurn } from "@carrel/contracts";
import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { ChevronRight, Moon, Sun } from "lucide-react";
import { useCallback, useRef, type ComponentType, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton, buttonStyles } from "../../../components/ui/button.tsx";
import { Logo } from "../../../components/ui/logo.tsx";
import MentionList from "../../../components/ui/mention-list.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { column, questionBubble } from "../../../components/ui/styles.ts";
import { usePageTitle } from "../../../lib/brand.ts";
import { formatDateTime, formatTime, joinFacts } from "../../../lib/format.ts";
import "../../../lib/share.ts";
import { placesOf } from "../../../lib/source-places.ts";
import { chooseTheme, useTheme } from "../../../lib/theme.ts";
import { canSignIn, sharedThreadQuery } from "../api/shared-thread.ts";

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
          {joinFacts([turn.model, formatTime(sentAt)])}
        </p>
      </article>
    </>
  );
}

/** The passages that an answer cites, by number; each can be expanded. */
function SharedSources({ sources }: { sources: readonly SharedSource[] }) {
  const { t } = useTranslation("share");
  const places = placesOf(
    sources.map(({ heading, ...source }) => ({
      ...source,
      headingPath: heading === undefined ? [] : [heading],
    })),
    (page) => t("page.pageNumber", { page }),
  );
  return (
    <section className="mt-4" aria-label={t("page.sources")}>
      <h3 className="text-xs font-medium text-fg-3">{t("page.sources")}</h3>
      <ol className="mt-1.5 divide-y divide-line rounded-md border border-line">
        {sources.map(({ number, title, text }, index) => (
          <li key={number}>
            <details className="group/source" data-shared-source={number}>
              <summary className="flex min-h-9 cursor-pointer list-none items-center gap-2 rounded-md px-2.5 py-1.5 text-sm hover:bg-hover max-md:min-h-11 [&::-webkit-details-marker]:hidden">
                <span className="grid h-4.25 min-w-4.25 flex-none place-items-center rounded-[4px] bg-active text-2xs/none font-semibold text-fg-2 tabular-nums">
                  {number}
                </span>
                <b className="min-w-0 truncate font-medium" title={title}>
                  {title}
                </b>
                {places[index] !== "" && (
                  <span
                    className="max-w-1/2 flex-none truncate text-xs text-fg-3 tabular-nums"
                    dir="auto"
                    title={places[index]}
                  >
                    {places[index]}
                  </span>
                )}
                <ChevronRight
                  className="ms-auto size-3.5 flex-none stroke-2 text-fg-3 transition-transform group-open/source:rotate-90 rtl:-scale-x-100 rtl:group-open/source:-rotate-90"
                  aria-hidden="true"
                />
              </summary>
              <p
                className="px-2.5 pt-1 pb-3 text-sm wrap-anywhere whitespace-pre-line text-fg-2"
                dir="auto"
              >
                {text}
              </p>
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Expands a source of the answer and scrolls to it. */
function showSource(answer: Element, number: number): void {
  const source = answer.querySelector<HTMLDetailsElement>(`[data-shared-source="${number}"]`);
  if (!source) return;
  source.open = true;
  source.querySelector("summary")?.focus({ preventScroll: true });
  source.scrollIntoView({ block: "nearest" });
}

/** Shown for every link that can't be opened; the reason isn't disclosed. */
export function GonePage() {
  const { t } = useTranslation("share");
  const { pathname } = useLocation();
  return (
    <SharedFrame title={t("page.gone")}>
      <h1 className="text-xl font-semibold">{t("page.gone")}</h1>
      <p className="mt-2 max-w-[60ch] text-fg-2">{t("page.goneText")}</p>
      {canSignIn() && (
        <Link
          className={buttonStyles({ variant: "primary", className: "mt-5 max-md:h-11" })}
          to="/login"
          search={{ to: pathname }}
        >
          {t("page.signIn")}
        </Link>
      )}
    </SharedFrame>
  );
}

/** A page for people with a link, who may have no session: logo and theme, no sign-in. */
function SharedFrame({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation("share");
  const theme = useTheme();
  usePageTitle(title);
  return (
    <div className="min-h-dvh bg-surface">
      <header className="border-b border-subtle">
        <div className={`${column} flex h-13 items-center justify-between`}>
          <Logo height={20} />
          <IconButton
            label={theme === "light" ? t("page.dark") : t("page.light")}
            onClick={() => chooseTheme(theme === "light" ? "default" : "light")}
          >
            {theme === "light" ? <Moon /> : <Sun />}
          </IconButton>
        </div>
      </header>
      <main className={`${column} pt-8 pb-16 max-md:pt-6`}>{children}</main>
    </div>
  );
}
