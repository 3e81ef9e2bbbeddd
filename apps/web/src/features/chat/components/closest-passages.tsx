import type { SourceWire } from "@carrel/contracts";
import { ArrowUpRight } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "../../../lib/cn.ts";
import { joinFacts } from "../../../lib/format.ts";
import Markdown, { type Citations } from "./markdown.tsx";

/**
 * The excerpts in an answer that shows the closest passages, in the order of its sources: it has
 * one block quote for each, which ends with its citation mark and has no empty line.
 */
export const splitExcerpts = (answer: string): string[] =>
  answer
    .split("\n\n> ")
    .slice(1)
    .map((block) => block.replace(/\n> ?/g, "\n").replace(/\s*\[\d+\]$/, ""));

type Place = Pick<SourceWire, "title" | "page" | "headingPath">;

/** Brackets in an excerpt are the document's own. */
const noCitations: Citations = { open: null, active: null, sources: [] };

/** Shown if no sentence answers the question: the closest passages, to read and open. */
export function ClosestPassages({
  answer,
  sources,
  active,
  onOpen,
}: {
  answer: string;
  sources: readonly Place[];
  /** Number of the source that is open. */
  active: number | null;
  /** Opens the document at the passage; null if it can't be opened. */
  onOpen: ((number: number) => void) | null;
}) {
  const { t } = useTranslation("chat");
  const excerpts = useMemo(() => splitExcerpts(answer), [answer]);
  return (
    <section aria-label={t("closest")} data-closest>
      <p className="text-md text-fg-2">{t("closestHeading")}</p>
      <ol className="mt-3 grid grid-cols-1 gap-3">
        {excerpts.map((excerpt, index) => {
          const source = sources[index];
          if (source === undefined) return null;
          const number = index + 1;
          return (
            <li key={number}>
              <figure
                className={cn(
                  "rounded-md border border-line",
                  active === number && "border-accent-line",
                )}
              >
                <figcaption>
                  <Caption
                    number={number}
                    source={source}
                    isActive={active === number}
                    onOpen={onOpen === null ? null : () => onOpen(number)}
                  />
                </figcaption>
                <blockquote className="px-3 pt-2 pb-3 wrap-anywhere">
                  <Markdown text={excerpt} growing={false} citations={noCitations} count={0} />
                </blockquote>
              </figure>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const captionStyles =
  "flex min-h-9 w-full items-center gap-2 rounded-t-md border-b border-subtle px-3 py-1.5 text-start text-sm max-md:min-h-11";

function Caption({
  number,
  source: { title, page, headingPath },
  isActive,
  onOpen,
}: {
  number: number;
  source: Place;
  isActive: boolean;
  onOpen: (() => void) | null;
}) {
  const { t } = useTranslation("chat");
  const place = joinFacts([page === null ? null : t("page", { page }), headingPath.at(-1)]);
  const names = (
    <>
      <span
        className={cn(
          "grid h-4.25 min-w-4.25 flex-none place-items-center rounded-[4px] bg-active text-2xs/none font-semibold text-fg-2 tabular-nums",
          isActive && "bg-accent-solid text-on-accent",
        )}
      >
        {number}
      </span>
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
        <b className="truncate font-medium text-fg-1" title={title} dir="auto">
          {title}
        </b>
        {place && <span className="truncate text-xs text-fg-3 tabular-nums">{place}</span>}
      </span>
    </>
  );
  if (onOpen === null) return <div className={captionStyles}>{names}</div>;
  return (
    <button
      type="button"
      className={cn(captionStyles, "text-fg-3 hover:bg-hover hover:text-fg-1")}
      aria-pressed={isActive}
      title={[title, headingPath.join(" › ")].filter(Boolean).join("\n")}
      onClick={onOpen}
    >
      {names}
      <span className="inline-flex flex-none items-center gap-1 text-xs">
        <span className="max-md:sr-only">{t("openInSource")}</span>
        <ArrowUpRight className="size-3.5 stroke-2 rtl:-scale-x-100" aria-hidden="true" />
      </span>
    </button>
  );
}
