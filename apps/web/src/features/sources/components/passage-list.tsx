import type { SourceWire } from "@carrel/contracts";
import { clsx } from "clsx";
import { useTranslation } from "react-i18next";
import { formatScore } from "../../../lib/format.ts";

/**
 * The wire puts a metadata header before a passage's text for models; people only need the text.
 */
/** Removes that header and joins the lines of a printed paragraph. */
const wordsOf = (text: string): string =>
  text
    .replace(/^<document_metadata>[\s\S]*?<\/document_metadata>\s*/, "")
    .replace(/(?<=[^\n.:;!?])\n(?=\p{Ll})/gu, " ")
    .trim();

/** All passages that the answer was given, with their scores. */
export function PassageList({
  sources,
  active,
  onOpen,
}: {
  sources: SourceWire[];
  active: number;
  onOpen: (index: number) => void;
}) {
  const { t } = useTranslation("sources");
  return (
    <div
      className="page-area"
      id="panel-passages"
      role="tabpanel"
      aria-labelledby="tab-passages"
      tabIndex={0}
    >
      <ol className="passages">
        {sources.map((source, index) => {
          const place = [
            source.page !== null ? t("page", { page: source.page }) : null,
            source.headingPath.at(-1) ?? null,
            source.score === undefined ? null : t("match", { score: formatScore(source.score) }),
          ]
            .filter(Boolean)
            .join(" · ");
          return (
            <li key={`${source.id}-${index}`}>
              <button
                type="button"
                className={clsx("passage", index === active && "on")}
                onClick={() => onOpen(index)}
              >
                <span className="row">
                  <span className="n num">{index + 1}</span>
                  <b className="cut">{source.title}</b>
                </span>
                <span className="xs t3 num cut">{place}</span>
                <span className="passage-text" dir="auto">
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
