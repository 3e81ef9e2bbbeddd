import type { SourceWire } from "@carrel/contracts";
import { Globe } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { chip } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { formatScore } from "../../../lib/format-source.ts";
import { placesOf } from "../../../lib/source-places.ts";
import { webPageOf } from "../../../lib/web-page.ts";
import { withoutHidden } from "../state/safe-text.ts";

/** The sources that the answer cites, by number; the others are behind a button. */
export function SourceChips({
  sources,
  cited,
  active,
  onOpen,
}: {
  sources: SourceWire[];
  /** Numbers that the answer cites. */
  cited: ReadonlySet<number>;
  active: number | null;
  onOpen: (number: number) => void;
}) {
  const { t } = useTranslation("chat");
  const [expanded, setExpanded] = useState(false);
  const more = sources.length - cited.size;
  const places = placesOf(sources, (page) => t("page", { page }));
  return (
    <div
      className="mt-4 flex flex-wrap gap-1.5 max-md:-mx-4 max-md:flex-nowrap max-md:overflow-x-auto max-md:px-4 max-md:[scrollbar-width:none]"
      data-chips
      role="group"
      aria-label={t("sources")}
    >
      {sources.map((source, index) => {
        const number = index + 1;
        if (!expanded && !cited.has(number) && active !== number) return null;
        const page = webPageOf(source);
        const mark = (
          <span
            className={cn(
              "grid h-4.25 min-w-4.25 flex-none place-items-center rounded-[4px] bg-active text-2xs/none font-semibold text-fg-2 tabular-nums",
              active === number && "bg-accent-solid text-on-accent",
            )}
          >
            {number}
          </span>
        );
        if (page)
          return (
            <a
              key={`${source.id}-${number}`}
              className={cn(chip, "max-w-80 max-md:max-w-76")}
              href={page.url}
              target="_blank"
              rel="noopener noreferrer"
              title={[withoutHidden(source.title), page.url].join("\n")}
            >
              {mark}
              <Globe className="size-3.5 flex-none stroke-2 text-fg-3" aria-hidden="true" />
              <b>{withoutHidden(source.title) || page.host}</b>
              <span className="max-w-[24ch] flex-none truncate text-fg-3" dir="ltr">
                {page.host}
              </span>
            </a>
          );
        const place = places[index];
        const match =
          source.score === undefined ? "" : t("match", { score: formatScore(source.score) });
        return (
          <button
            type="button"
            key={`${source.id}-${number}`}
            className={cn(
              chip,
              // Wide enough for the name next to a long heading.
              "max-w-80 max-md:max-w-76",
              active === number &&
                "border-accent-line bg-accent-subtle hover:border-accent-line hover:bg-accent-subtle",
            )}
            aria-pressed={active === number}
            onClick={() => onOpen(number)}
            title={[source.title, source.headingPath.join(" › "), match].filter(Boolean).join("\n")}
          >
            {mark}
            <b>{source.title}</b>
            {place && (
              <span className="max-w-[24ch] flex-none truncate text-fg-3 tabular-nums" dir="auto">
                {place}
              </span>
            )}
          </button>
        );
      })}
      {more > 0 && (
        <button
          type="button"
          className={cn(chip, "ps-2.5")}
          aria-expanded={expanded}
          onClick={() => setExpanded(!expanded)}
        >
          {expanded ? t("fewerSources") : t("moreSources", { count: more })}
        </button>
      )}
    </div>
  );
}
