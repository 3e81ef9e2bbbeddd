import type { getIndexState, Out } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { ProgressBar } from "../../../components/ui/progress-bar.tsx";
import { formatNumber, formatPercent } from "../../../lib/format.ts";
import { timeLeft } from "../../../lib/time-left.ts";

/**
 * How far documents are embedded, how fast, and what the rest waits for; nothing once all are
 * embedded.
 */
export function EmbeddingProgress({
  embedding: { passagesDone, passagesTotal, running, waiting, reason },
  rate,
}: {
  embedding: Out<typeof getIndexState>["embedding"];
  /** Passages per second; null if unknown. */
  rate: number | null;
}) {
  const { t } = useTranslation("settings");
  if (running + waiting === 0) return null;
  const share = passagesTotal > 0 ? passagesDone / passagesTotal : 0;
  const count = t("index.embedded", {
    count: passagesTotal,
    done: formatNumber(passagesDone),
    total: formatNumber(passagesTotal),
  });
  return (
    <div className="grid max-w-[640px] gap-2">
      {running > 0 && (
        <>
          <p>
            <b>{t("index.embedding", { count: running, number: formatNumber(running) })}</b>
          </p>
          <ProgressBar value={share} label={count} />
          <p className="text-fg-3 text-xs tabular-nums">
            {[
              formatPercent(share),
              count,
              rate !== null &&
                t("index.rate", {
                  count: Math.round(rate),
                  number: formatNumber(Math.round(rate)),
                }),
              rate !== null && timeLeft((passagesTotal - passagesDone) / rate),
            ]
              .filter(Boolean)
              .join(" · ")}
          </p>
        </>
      )}
      {waiting > 0 && (
        <Notice kind="warn">
          <p>
            <b>{t("index.waiting", { count: waiting, number: formatNumber(waiting) })}</b>{" "}
            <FaultText fault={reason} fallback="" />
          </p>
        </Notice>
      )}
    </div>
  );
}
