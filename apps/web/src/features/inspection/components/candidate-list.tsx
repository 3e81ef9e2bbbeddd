import type { CandidateFate, InspectedCandidate } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge, FileType } from "../../../components/ui/badge.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { cn } from "../../../lib/cn.ts";
import { fileTag } from "../../../lib/file-tag.ts";
import { formatNumber, joinFacts } from "../../../lib/format.ts";
import { excerptQuery } from "../api/inspection.ts";

const tones = {
  kept: "success",
  joined: "success",
  "in-prompt": "accent",
  duplicate: "neutral",
  "below-threshold": "neutral",
  "over-top-n": "neutral",
  "not-quoted": "neutral",
  "over-budget": "warning",
} as const satisfies Record<CandidateFate, string>;

function Measure({
  label,
  score,
  place,
}: {
  label: string;
  score: number | null;
  place: number | null;
}) {
  const { t } = useTranslation("inspection");
  const words =
    score === null
      ? t("notFoundBy")
      : place === null
        ? formatNumber(score, 2)
        : t("place", { score: formatNumber(score, 2), place });
  return (
    <>
      <dt className="text-fg-3">{label}</dt>
      <dd className={cn("flex items-center gap-2", score === null && "text-fg-3")}>
        <span
          className="h-1 w-24 flex-none overflow-clip rounded-[2px] bg-active"
          aria-hidden="true"
        >
          <i
            className="block h-full bg-accent-solid"
            style={{ inlineSize: `${Math.round(100 * Math.min(1, Math.max(0, score ?? 0)))}%` }}
          />
        </span>
        <span className="tabular-nums">{words}</span>
      </dd>
    </>
  );
}

/** Loaded with the row's details if the reply left it out. */
function Excerpt({ slug, candidate }: { slug: string; candidate: InspectedCandidate }) {
  const { t } = useTranslation("inspection");
  const { excerpt } = candidate;
  const query = useQuery({ ...excerptQuery(slug, candidate), enabled: excerpt === null });
  const text = excerpt ?? query.data;
  if (query.error)
    return (
      <FailedQuery retryLabel={t("retry")} error={query.error} retry={() => void query.refetch()} />
    );
  if (text === undefined) return <Skeleton />;
  return (
    text && (
      <blockquote
        className="border-s-2 border-strong ps-3 text-xs/[18px] wrap-anywhere whitespace-pre-line text-fg-2"
        dir="auto"
      >
        {text}
      </blockquote>
    )
  );
}

function Candidate({ slug, candidate }: { slug: string; candidate: InspectedCandidate }) {
  const { t } = useTranslation("inspection");
  const [open, setOpen] = useState(false);
  const id = useId();
  const { fate, better, title, page, headingPath } = candidate;
  const isOut = fate !== "kept" && fate !== "joined";
  const named = title ?? t("gone");
  const place = joinFacts([page === null ? null : t("page", { page }), headingPath.at(-1)]);
  return (
    <li>
      <button
        type="button"
        className="flex min-h-11 w-full items-center gap-2 px-2 py-1.25 text-start hover:bg-hover"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <span className="min-w-5 text-center text-xs/5 text-fg-3 tabular-nums">
          {candidate.place}
        </span>
        <FileType size="sm" className="max-md:hidden">
          {title === null ? "–" : fileTag(title)}
        </FileType>
        <span className="min-w-0 flex-1">
          <b className={cn("block truncate", isOut && "font-regular text-fg-2")}>{named}</b>
          <span className="block truncate text-xs text-fg-3">{place || "\u00a0"}</span>
        </span>
        <span
          className="text-xs tabular-nums max-md:hidden"
          title={t("score", { score: formatNumber(candidate.score, 2) })}
        >
          {formatNumber(candidate.score, 2)}
        </span>
        <Badge tone={tones[fate]} data-fate={fate}>
          {t(`fate.${fate}`)}
        </Badge>
        {open ? (
          <ChevronDown className="size-3.5 stroke-2" aria-hidden="true" />
        ) : (
          <ChevronRight className="size-3.5 stroke-2 rtl:-scale-x-100" aria-hidden="true" />
        )}
      </button>
      {open && (
        <div className="grid gap-2 ps-9 pe-3 pt-1 pb-3" id={id}>
          <p className="text-fg-2">
            {t(`fateHelp.${fate}`, {
              better: better === null ? "" : t("better", { place: better }),
            })}
          </p>
          <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-xs/5">
            <Measure label={t("byWords")} score={candidate.textScore} place={candidate.textPlace} />
            <Measure
              label={t("byMeaning")}
              score={candidate.denseScore}
              place={candidate.densePlace}
            />
            {candidate.rerankScore !== null && (
              <Measure
                label={t("byReranker")}
                score={candidate.rerankScore}
                place={candidate.place}
              />
            )}
          </dl>
          <p className="text-xs text-fg-3 tabular-nums">
            {t("details", {
              place: candidate.fusedPlace,
              rank: formatNumber(candidate.fusedRank, 3),
            })}
          </p>
          {headingPath.length > 1 && (
            <p className="text-xs text-fg-3" dir="auto">
              {headingPath.join(" › ")}
            </p>
          )}
          <Excerpt slug={slug} candidate={candidate} />
        </div>
      )}
    </li>
  );
}

/** Every candidate in its final order, with its outcome; scores on demand. */
export function CandidateList({
  slug,
  candidates,
  total,
}: {
  slug: string;
  candidates: InspectedCandidate[];
  total: number;
}) {
  const { t } = useTranslation("inspection");
  const [onlyKept, setOnlyKept] = useState(false);
  const shown = onlyKept
    ? candidates.filter(({ fate }) => fate === "kept" || fate === "joined")
    : candidates;
  if (candidates.length === 0) return <p className="text-fg-2">{t("nothing")}</p>;
  return (
    <>
      <div className="flex items-center gap-2">
        <p className="min-w-0 flex-1 text-xs text-fg-3 tabular-nums">
          {total > candidates.length
            ? t("candidateCount", {
                count: total,
                number: formatNumber(total),
                shown: candidates.length,
              })
            : t("candidateAll", { count: total, number: formatNumber(total) })}
        </p>
        <label className="inline-flex min-h-6 items-center gap-2 text-xs/5 text-fg-2 max-md:min-h-11">
          <input
            type="checkbox"
            checked={onlyKept}
            onChange={(event) => setOnlyKept(event.target.checked)}
          />
          {t("onlyKept")}
        </label>
      </div>
      <ol className="grid grid-cols-1 divide-y divide-subtle overflow-clip rounded-md border border-subtle">
        {shown.map((candidate) => (
          <Candidate
            key={`${candidate.documentId}-${candidate.start}-${candidate.place}`}
            slug={slug}
            candidate={candidate}
          />
        ))}
      </ol>
    </>
  );
}
