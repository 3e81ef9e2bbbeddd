import type { SourceWire } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { pageArea } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { formatDate, formatScore } from "../../../lib/format-source.ts";
import { joinFacts } from "../../../lib/format.ts";
import { openWebPage } from "../../../lib/web-page.ts";

/**
 * Removes the metadata header that the wire puts before a passage's text for models, and joins the
 * lines of a printed paragraph.
 */
const wordsOf = (text: string): string =>
  text
    .replace(/^<document_metadata>[\s\S]*?<\/document_metadata>\s*/, "")
    .replace(/(?<=[^\n.:;!?])\n(?=\p{Ll})/gu, " ")
    .trim();

/** All passages given to the model for the answer, with their scores. */
export function PassageList({
  sources,
  active,
  onOpen,
}: {
  sources: SourceWire[];
  active: number;
  onOpen: (index: number) => void;
}) {
  const { t } = useTranslation(["sources", "versions"]);
  return (
    <div
      className={pageArea}
      id="panel-passages"
      role="tabpanel"
      aria-labelledby="tab-passages"
      tabIndex={0}
    >
      <ol className="grid gap-2">
        {sources.map((source, index) => {
          const place = joinFacts([
            source.page !== null ? t("page", { page: source.page }) : null,
            source.headingPath.at(-1) ?? null,
            source.score === undefined ? null : t("match", { score: formatScore(source.score) }),
            source.asOf === undefined
              ? null
              : t("versions:asOf", { date: formatDate(Date.parse(source.asOf)) }),
          ]);
          return (
            <li key={`${source.id}-${index}`}>
              <button
                type="button"
                className={cn(
                  "grid w-full gap-1 rounded-md border border-line bg-surface px-3 py-2.5 hover:border-strong",
                  index === active &&
                    "border-accent-line bg-accent-subtle hover:border-accent-line",
                )}
                onClick={() => {
                  if (!openWebPage(source)) onOpen(index);
                }}
              >
                <span className="flex items-center gap-2">
                  <span
                    className={cn(
                      "grid h-4.5 min-w-4.5 flex-none place-items-center rounded-[4px] bg-active text-2xs/none font-semibold tabular-nums",
                      index === active && "bg-accent-solid text-on-accent",
                    )}
                  >
                    {index + 1}
                  </span>
                  <b className="truncate font-medium">{source.title}</b>
                </span>
                <span className="truncate text-xs text-fg-3 tabular-nums">{place}</span>
                <span
                  className="line-clamp-6 wrap-anywhere whitespace-pre-line text-fg-2"
                  dir="auto"
                >
                  {wordsOf(source.text)}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
