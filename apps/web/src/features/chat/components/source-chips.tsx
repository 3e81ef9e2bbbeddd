import { cn } from "../../../lib/cn.ts";
import { chip } from "./chip.ts";
import type { SourceWire } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { formatScore } from "../../../lib/format.ts";

/** The answer's sources in the order of their citations. */
export function SourceChips({
  sources,
  active,
  onOpen,
}: {
  sources: SourceWire[];
  active: number | null;
  onOpen: (number: number) => void;
}) {
  const { t } = useTranslation("chat");
  return (
    <div
      className="mt-4 flex flex-wrap gap-1.5 max-md:-mx-4 max-md:flex-nowrap max-md:overflow-x-auto max-md:px-4 max-md:[scrollbar-width:none]"
      data-chips
      role="group"
      aria-label={t("sources")}
    >
      {sources.map((source, index) => {
        const number = index + 1;
        const place = source.page !== null ? t("page", { page: source.page }) : "";
        const match =
          source.score === undefined ? "" : t("match", { score: formatScore(source.score) });
        return (
          <button
            type="button"
            key={`${source.id}-${number}`}
            className={cn(
              chip,
              active === number &&
                "border-accent-line bg-accent-subtle hover:border-accent-line hover:bg-accent-subtle",
            )}
            aria-pressed={active === number}
            onClick={() => onOpen(number)}
            title={[source.title, source.headingPath.join(" › "), match].filter(Boolean).join("\n")}
          >
            <span
              className={cn(
                "grid h-4.25 min-w-4.25 flex-none place-items-center rounded-[4px] bg-active text-2xs/none font-semibold text-fg-2 tabular-nums",
                active === number && "bg-accent-solid text-on-accent",
              )}
            >
              {number}
            </span>
            <b>{source.title}</b>
            {place && <span className="text-fg-3 tabular-nums">{place}</span>}
          </button>
        );
      })}
    </div>
  );
}
