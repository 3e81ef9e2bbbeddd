import type { InspectedPrompt, InspectedSearch, Inspection } from "@carrel/contracts";
import { clsx } from "clsx";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/ui/notice.tsx";
import { formatNumber, formatPercent, formatSeconds } from "../../../lib/format.ts";
import { CandidateList } from "./candidate-list.tsx";

/** In prompt order; parts that only later versions know follow under their own names. */
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
const isKnown = (part: string): part is Part => (known as readonly string[]).includes(part);

function Search({ search, heading }: { search: InspectedSearch; heading: string | null }) {
  const { t } = useTranslation("inspection");
  const { rerank, filter } = search;
  const filters = (
    ["folders", "types", "tags", "addedFrom", "addedUntil", "documentIds"] as const
  ).flatMap((key) => {
    const value = filter[key];
    return value === undefined || value.length === 0
      ? []
      : [t(`filter.${key}`, { values: Array.isArray(value) ? value.join(", ") : value })];
  });
  const facts = [
    t("facts", { count: search.documentCount, number: formatNumber(search.documentCount) }),
    search.embedder === null
      ? t("textOnly")
      : t("hybrid", {
          embedder: search.embedder.split(/[/:]/).at(-1) ?? search.embedder,
          share: formatPercent(search.denseShare),
        }),
    search.threshold > 0
      ? t("threshold", { score: formatNumber(search.threshold, 2) })
      : t("noThreshold"),
    t("topN", { count: search.topN }),
  ];
  return (
    <section className="insp-part">
      <h3>
        {heading ?? t("searched")}{" "}
        <span className="badge">{search.isRewritten ? t("rewritten") : t("asAsked")}</span>
      </h3>
      <p className="insp-query" dir="auto">
        {search.query}
      </p>
      {search.words.length > 0 && (
        <ul className="insp-words" aria-label={t("wordsLabel")}>
          {search.words.map(({ text, weight, found }, index) => {
            const words = found
              ? t("wordFound", { word: text, share: formatPercent(weight) })
              : t("wordMissing", { word: text });
            return (
              <li
                key={`${text}-${index}`}
                className={clsx(!found && "is-missing")}
                title={words}
                aria-label={words}
              >
                <span dir="auto">{text}</span>
                <span className="num t3" aria-hidden="true">
                  {found ? formatPercent(weight) : "–"}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {search.expansion.length > 0 && (
        <p className="xs t2">
          {t("widened", { terms: search.expansion.map(({ term }) => term).join(", ") })}
        </p>
      )}
      <p className="xs t3">{facts.join(" · ")}</p>
      {filters.length > 0 && <p className="xs t2">{t("filtered", { what: filters.join(", ") })}</p>}
      {rerank.kind !== null && rerank.fault === null && (
        <p className="xs t2">
          {t("reranked", {
            kind: t(`reranker.${rerank.kind}`, { model: rerank.model ?? rerank.kind }),
            count: rerank.count,
            time: formatSeconds(rerank.milliseconds / 1000),
          })}
        </p>
      )}
      {rerank.fault !== null && (
        <Notice kind="warn">
          <p>{t("rerankFault", { fault: rerank.fault })}</p>
        </Notice>
      )}
      <h4>{t("candidates")}</h4>
      <CandidateList candidates={search.candidates} total={search.candidateCount} />
      <p className="xs t3">{t("took", { time: formatSeconds(search.milliseconds / 1000) })}</p>
    </section>
  );
}

function Prompt({ prompt, isTrial }: { prompt: InspectedPrompt; isTrial: boolean }) {
  const { t } = useTranslation("inspection");
  const { tokens, contextWindow, turns } = prompt;
  const sums: Record<string, number | undefined> = tokens;
  const given = [
    ...known,
    ...Object.keys(sums).filter((part) => part !== "total" && !isKnown(part)),
  ].flatMap((part) => {
    const count = sums[part] ?? 0;
    return count > 0 ? [{ part, count }] : [];
  });
  const all = Math.max(1, tokens.total);
  return (
    <section className="insp-part">
      <h3>{isTrial ? t("promptTry") : t("prompt")}</h3>
      <p className="num">
        {contextWindow === null
          ? t("tokens", { number: formatNumber(tokens.total) })
          : t("ofWindow", {
              number: formatNumber(tokens.total),
              window: formatNumber(contextWindow),
            })}{" "}
        <span className="t3 xs">{t(`basis.${prompt.basis}`)}</span>
      </p>
      <div className="insp-stack" aria-hidden="true">
        {given.map(({ part, count }) => (
          <i
            key={part}
            data-part={isKnown(part) ? part : "other"}
            style={{ inlineSize: `${(100 * count) / all}%` }}
          />
        ))}
      </div>
      <dl className="insp-parts">
        {given.map(({ part, count }) => (
          <div key={part}>
            <dt>
              <i data-part={isKnown(part) ? part : "other"} aria-hidden="true" />
              {isKnown(part) ? t(`part.${part}`) : part}
            </dt>
            <dd className="num">{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      {turns.given > 0 && (
        <p className="xs t3">{t("turns", { count: turns.given, kept: turns.kept })}</p>
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
  inspection,
  isTrial,
}: {
  inspection: Inspection;
  isTrial: boolean;
}) {
  const { t } = useTranslation("inspection");
  const { searches, passages, prompt } = inspection;
  return (
    <div className="insp">
      {searches.map((search, index) => (
        <Search
          key={index}
          search={search}
          heading={searches.length > 1 ? t("readings", { number: index + 1 }) : null}
        />
      ))}
      {prompt ? (
        <Prompt prompt={prompt} isTrial={isTrial} />
      ) : (
        inspection.provider === "extractive" && (
          <section className="insp-part">
            <h3>{t("prompt")}</h3>
            <p className="t2">{t("noPrompt")}</p>
          </section>
        )
      )}
      {passages.length > 0 && (
        <section className="insp-part">
          <h3>{prompt ? t("passages") : t("quotedFrom")}</h3>
          <ol className="insp-given">
            {passages.map((passage, index) => (
              <li
                key={`${passage.documentId}-${passage.start}-${index}`}
                className={clsx(passage.fate !== "whole" && passage.fate !== "cut" && "is-out")}
              >
                <span className="grow min-w-0">
                  <b className="cut block">{passage.title ?? t("gone")}</b>
                  <span className="xs t3 cut block">
                    {[
                      passage.page === null ? null : t("page", { page: passage.page }),
                      t(`origin.${passage.origin}`),
                      t(`passageFate.${passage.fate}`),
                      passage.source === null ? null : t("source", { number: passage.source }),
                    ]
                      .filter(Boolean)
                      .join(" · ")}
                  </span>
                </span>
                {prompt && (
                  <span className="num xs t2">
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
