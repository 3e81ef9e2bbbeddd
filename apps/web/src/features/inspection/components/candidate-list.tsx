import type { CandidateFate, InspectedCandidate } from "@carrel/contracts";
import { clsx } from "clsx";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { fileTag, formatNumber } from "../../../lib/format.ts";

const tones: Record<CandidateFate, string> = {
  kept: "ok",
  joined: "ok",
  "in-prompt": "acc",
  duplicate: "",
  "below-threshold": "",
  "over-top-n": "",
  "not-quoted": "",
  "over-budget": "warn",
};

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
      <dt>{label}</dt>
      <dd className={score === null ? "t3" : undefined}>
        <span className="insp-bar" aria-hidden="true">
          <i style={{ inlineSize: `${Math.round(100 * Math.min(1, Math.max(0, score ?? 0)))}%` }} />
        </span>
        <span className="num">{words}</span>
      </dd>
    </>
  );
}

function Candidate({ candidate }: { candidate: InspectedCandidate }) {
  const { t } = useTranslation("inspection");
  const [open, setOpen] = useState(false);
  const id = useId();
  const { fate, better, title, page, headingPath } = candidate;
  const named = title ?? t("gone");
  const place = [page === null ? null : t("page", { page }), headingPath.at(-1)]
    .filter(Boolean)
    .join(" · ");
  return (
    <li className={clsx("insp-hit", fate !== "kept" && fate !== "joined" && "is-out")}>
      <button
        type="button"
        className="insp-head"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <span className="n num">{candidate.place}</span>
        <span className="ft sm" aria-hidden="true">
          {title === null ? "–" : fileTag(title)}
        </span>
        <span className="grow min-w-0">
          <b className="cut block">{named}</b>
          <span className="xs t3 cut block">{place || "\u00a0"}</span>
        </span>
        <span className="num xs" title={t("score", { score: formatNumber(candidate.score, 2) })}>
          {formatNumber(candidate.score, 2)}
        </span>
        <span className={clsx("badge", tones[fate])}>{t(`fate.${fate}`)}</span>
        {open ? (
          <ChevronDown className="i sm" aria-hidden="true" />
        ) : (
          <ChevronRight className="i sm flip" aria-hidden="true" />
        )}
      </button>
      {open && (
        <div className="insp-body" id={id}>
          <p className="t2">
            {t(`fateHelp.${fate}`, {
              better: better === null ? "" : t("better", { place: better }),
            })}
          </p>
          <dl className="insp-measures">
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
          <p className="xs t3 num">
            {t("details", {
              place: candidate.fusedPlace,
              rank: formatNumber(candidate.fusedRank, 3),
            })}
          </p>
          {headingPath.length > 1 && (
            <p className="xs t3" dir="auto">
              {headingPath.join(" › ")}
            </p>
          )}
          {candidate.excerpt && (
            <blockquote className="insp-text" dir="auto">
              {candidate.excerpt}
            </blockquote>
          )}
        </div>
      )}
    </li>
  );
}

/** Every candidate in its final order, with its outcome; scores on demand. */
export function CandidateList({
  candidates,
  total,
}: {
  candidates: InspectedCandidate[];
  total: number;
}) {
  const { t } = useTranslation("inspection");
  const [onlyKept, setOnlyKept] = useState(false);
  const shown = onlyKept
    ? candidates.filter(({ fate }) => fate === "kept" || fate === "joined")
    : candidates;
  if (candidates.length === 0) return <p className="t2">{t("nothing")}</p>;
  return (
    <>
      <div className="row">
        <p className="t3 xs grow num">
          {total > candidates.length
            ? t("candidateCount", {
                count: total,
                number: formatNumber(total),
                shown: candidates.length,
              })
            : t("candidateAll", { count: total, number: formatNumber(total) })}
        </p>
        <label className="insp-check">
          <input
            type="checkbox"
            checked={onlyKept}
            onChange={(event) => setOnlyKept(event.target.checked)}
          />
          {t("onlyKept")}
        </label>
      </div>
      <ol className="insp-hits">
        {shown.map((candidate) => (
          <Candidate
            key={`${candidate.documentId}-${candidate.start}-${candidate.place}`}
            candidate={candidate}
          />
        ))}
      </ol>
    </>
  );
}
