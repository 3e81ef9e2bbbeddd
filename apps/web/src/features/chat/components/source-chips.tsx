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
    <div className="chips" role="group" aria-label={t("sources")}>
      {sources.map((source, index) => {
        const number = index + 1;
        const place = source.page !== null ? t("page", { page: source.page }) : "";
        const match =
          source.score === undefined ? "" : t("match", { score: formatScore(source.score) });
        return (
          <button
            type="button"
            key={`${source.id}-${number}`}
            className={active === number ? "chip on" : "chip"}
            aria-pressed={active === number}
            onClick={() => onOpen(number)}
            title={[source.title, source.headingPath.join(" › "), match].filter(Boolean).join("\n")}
          >
            <span className="n num">{number}</span>
            <b>{source.title}</b>
            {place && <span className="t3 num">{place}</span>}
          </button>
        );
      })}
    </div>
  );
}
