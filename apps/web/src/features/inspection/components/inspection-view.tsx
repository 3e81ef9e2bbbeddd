import {
  quotingProvider,
  type InspectedPrompt,
  type InspectedSearch,
  type Inspection,
} from "@carrel/contracts";
import { X } from "lucide-react";
import { useLayoutEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { IconButton } from "../../../components/ui/button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { pageArea, sidePanel, topbar } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import {
  formatNumber,
  formatPercent,
  formatSeconds,
  joinFacts,
  joinNames,
} from "../../../lib/format.ts";
import { addTexts } from "../../../lib/i18n.ts";
import inspection from "../../../locales/en/inspection.json" with { type: "json" };
import { CandidateList } from "./candidate-list.tsx";

// Loaded with the inspector, not with the first page.
addTexts("inspection", inspection);

/** A side panel: takes focus, closes on Escape, and returns focus to where it was. */
export function SidePanel({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation("inspection");
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement; // before the user can focus a field of the panel
    panel.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <aside
      className={sidePanel}
      data-panel
      aria-label={title}
      ref={panel}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) {
          event.preventDefault();
          onClose();
        }
      }}
    >
      <header className={topbar}>
        <h2 className="min-w-0 flex-1 truncate font-medium">{title}</h2>
        <IconButton label={t("close")} onClick={onClose}>
          <X />
        </IconButton>
      </header>
      <div className={pageArea}>{children}</div>
    </aside>
  );
}

/** In prompt order; parts that only newer versions know follow under their own names. */
const known = [
  "system",
  "memories",
  "pinned",
  "files",
  "passages",
  "history",
  "question",
  "images",
] as const;
type Part = (typeof known)[number];
const colors: Record<Part, string> = {
  system: "bg-fg-3",
  memories: "bg-accent",
  pinned: "bg-warning",
  files: "bg-info",
  passages: "bg-accent-solid",
  history: "bg-strong",
  question: "bg-fg-1",
  images: "bg-success",
};
const isKnown = (part: string): part is Part => (known as readonly string[]).includes(part);

const partColor = (part: string): string => (isKnown(part) ? colors[part] : "bg-control");

const sectionStyles =
  "grid min-w-0 grid-cols-1 gap-2 not-first:border-t not-first:border-subtle not-first:pt-5";
const headingStyles = "flex items-center gap-2 font-semibold";

function Search({
  slug,
  search,
  heading,
}: {
  slug: string;
  search: InspectedSearch;
  heading: string | null;
}) {
  const { t } = useTranslation("inspection");
  const { rerank, filter } = search;
  const filters = (
    ["folders", "types", "tags", "addedFrom", "addedUntil", "documentIds"] as const
  ).flatMap((key) => {
    const value = filter[key];
    return value === undefined || value.length === 0
      ? []
      : [t(`filter.${key}`, { values: Array.isArray(value) ? joinNames(value) : value })];
  });
  const facts = [
    t("facts", { count: search.documentCount, number: formatNumber(search.documentCount) }),
    search.embedder === null
      ? t("textOnly")
      : t("hybrid", {
          embedder: search.embedder.split(/[/:]/).at(-1) ?? search.embedder,
        }),
    search.threshold > 0
      ? t("threshold", { score: formatNumber(search.threshold, 2) })
      : t("noThreshold"),
    t("topN", { count: search.topN }),
  ];
  return (
    <section className={sectionStyles}>
      <h3 className={headingStyles}>
        {heading ?? t("searched")}{" "}
        <Badge>{search.isRewritten ? t("rewritten") : t("asAsked")}</Badge>
      </h3>
      <p
        className="rounded-sm border border-subtle bg-sunken px-3 py-2 wrap-anywhere whitespace-pre-line"
        dir="auto"
      >
        {search.query}
      </p>
      {search.words.length > 0 && (
        <ul className="flex flex-wrap gap-1" aria-label={t("wordsLabel")}>
          {search.words.map(({ text, weight, found }, index) => {
            const words = found
              ? t("wordFound", { word: text, share: formatPercent(weight) })
              : t("wordMissing", { word: text });
            return (
              <li
                key={`${text}-${index}`}
                data-found={found}
                className={cn(
                  "inline-flex items-baseline gap-1.25 rounded-sm border border-line px-1.75 py-px text-xs/5",
                  !found && "border-dashed text-fg-3",
                )}
                title={words}
                aria-label={words}
              >
                <span dir="auto">{text}</span>
                <span className="tabular-nums text-fg-3" aria-hidden="true">
                  {found ? formatPercent(weight) : "–"}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {search.expansion.length > 0 && (
        <p className="text-xs text-fg-2">
          {t("widened", { terms: joinNames(search.expansion.map(({ term }) => term)) })}
        </p>
      )}
      <p className="text-xs text-fg-3">{joinFacts(facts)}</p>
      {filters.length > 0 && (
        <p className="text-xs text-fg-2">{t("filtered", { what: joinNames(filters) })}</p>
      )}
      {rerank.kind !== null && rerank.fault === null && (
        <p className="text-xs text-fg-2">
          {t("reranked", {
            kind: t(`reranker.${rerank.kind}`, { model: rerank.model ?? rerank.kind }),
            count: rerank.count,
            time: formatSeconds(rerank.milliseconds / 1000),
          })}
        </p>
      )}
      {rerank.fault !== null && (
        <Notice kind="warn">
          <p>
            {t("rerankFailed")} <FaultText fault={rerank.fault} fallback="" />
          </p>
        </Notice>
      )}
      <h4 className="mt-3 font-medium">{t("candidates")}</h4>
      <CandidateList slug={slug} candidates={search.candidates} total={search.candidateCount} />
      <p className="text-xs text-fg-3">
        {t("took", { time: formatSeconds(search.milliseconds / 1000) })}
      </p>
    </section>
  );
}

function Prompt({ prompt, isTrial }: { prompt: InspectedPrompt; isTrial: boolean }) {
  const { t } = useTranslation("inspection");
  const { tokens, contextWindow, turns } = prompt;
  const sums: Record<string, number | undefined> = tokens;
  const counts = [
    ...known,
    ...Object.keys(sums).filter((part) => part !== "total" && !isKnown(part)),
  ].flatMap((part) => {
    const count = sums[part] ?? 0;
    return count > 0 ? [{ part, count }] : [];
  });
  const all = Math.max(1, tokens.total);
  return (
    <section className={sectionStyles}>
      <h3 className={headingStyles}>{isTrial ? t("promptTry") : t("prompt")}</h3>
      <p className="tabular-nums">
        {contextWindow === null
          ? t("tokens", { number: formatNumber(tokens.total) })
          : t("ofWindow", {
              number: formatNumber(tokens.total),
              window: formatNumber(contextWindow),
            })}{" "}
        <span className="text-fg-3 text-xs">{t(`basis.${prompt.basis}`)}</span>
      </p>
      <div className="flex h-2.5 gap-px overflow-clip rounded-[3px] bg-active" aria-hidden="true">
        {counts.map(({ part, count }) => (
          <i
            key={part}
            className={cn("min-w-0.5", partColor(part))}
            style={{ inlineSize: `${(100 * count) / all}%` }}
          />
        ))}
      </div>
      <dl className="grid gap-0.5" data-prompt-parts>
        {counts.map(({ part, count }) => (
          <div className="flex justify-between gap-3" key={part}>
            <dt className="flex items-center gap-2 text-fg-2">
              <i className={cn("size-2 rounded-[2px]", partColor(part))} aria-hidden="true" />
              {isKnown(part) ? t(`part.${part}`) : part}
            </dt>
            <dd className="tabular-nums">{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      {turns.given > 0 && (
        <p className="text-xs text-fg-3">{t("turns", { count: turns.given, kept: turns.kept })}</p>
      )}
      {prompt.isCut && (
        <Notice kind="warn">
          <p>{t("cut")}</p>
        </Notice>
      )}
    </section>
  );
}

/**
 * What was searched, what was found and why it was kept or dropped, and what went into the prompt.
 */
export function InspectionView({
  slug,
  inspection,
  isTrial,
}: {
  slug: string;
  inspection: Inspection;
  isTrial: boolean;
}) {
  const { t } = useTranslation("inspection");
  const { searches, passages, prompt } = inspection;
  return (
    <div className="grid grid-cols-1 gap-6 wrap-anywhere">
      {searches.map((search, index) => (
        <Search
          key={index}
          slug={slug}
          search={search}
          heading={searches.length > 1 ? t("readings", { number: index + 1 }) : null}
        />
      ))}
      {prompt ? (
        <Prompt prompt={prompt} isTrial={isTrial} />
      ) : (
        inspection.provider === quotingProvider && (
          <section className={sectionStyles}>
            <h3 className={headingStyles}>{t("prompt")}</h3>
            <p className="text-fg-2">{t("noPrompt")}</p>
          </section>
        )
      )}
      {passages.length > 0 && (
        <section className={sectionStyles}>
          <h3 className={headingStyles}>{prompt ? t("passages") : t("quotedFrom")}</h3>
          <ol className="grid gap-2">
            {passages.map((passage, index) => (
              <li
                key={`${passage.documentId}-${passage.start}-${index}`}
                className="flex items-center gap-3"
              >
                <span className="min-w-0 flex-1">
                  <b
                    className={cn(
                      "block truncate",
                      passage.fate !== "whole" &&
                        passage.fate !== "cut" &&
                        "font-regular text-fg-3",
                    )}
                  >
                    {passage.title ?? t("gone")}
                  </b>
                  <span className="block truncate text-xs text-fg-3">
                    {joinFacts([
                      passage.page === null ? null : t("page", { page: passage.page }),
                      t(`origin.${passage.origin}`),
                      t(`passageFate.${passage.fate}`),
                      passage.source === null ? null : t("source", { number: passage.source }),
                    ])}
                  </span>
                </span>
                {prompt && (
                  <span className="text-xs text-fg-2 tabular-nums">
                    {t("tokens", { number: formatNumber(passage.tokens) })}
                  </span>
                )}
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}
