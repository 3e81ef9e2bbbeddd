import type { Out, previewConnection } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { formatBytes, formatNumber } from "../../../lib/format.ts";

export type Preview = Out<typeof previewConnection>;

/** What an import would bring, before anything is fetched. */
export function PreviewPanel({
  preview,
  isPending,
  isStale,
  error,
  onRetry,
}: {
  preview: Preview | undefined;
  isPending: boolean;
  /** The form has changed since. */
  isStale: boolean;
  error: Error | null;
  onRetry: () => void;
}) {
  const { t } = useTranslation("connections");
  return (
    <section
      className="grid content-start gap-3 rounded-md border border-line bg-canvas p-4"
      aria-label={t("preview.title")}
      aria-live="polite"
      aria-busy={isPending}
    >
      <div>
        <h3 className="font-semibold">{t("preview.title")}</h3>
        {!preview && !error && <p className="text-fg-2">{t("preview.text")}</p>}
      </div>
      {isPending ? (
        <div className="grid gap-3 py-1" role="status" aria-label={t("form.previewing")}>
          {[64, 48, 56].map((width) => (
            <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
          ))}
        </div>
      ) : error ? (
        <FailedQuery retryLabel={t("retry")} error={error} retry={onRetry} />
      ) : (
        preview && <Counted preview={preview} isStale={isStale} />
      )}
    </section>
  );
}

function Counted({
  preview: { items, bytes, isComplete, skipped, examples },
  isStale,
}: {
  preview: Preview;
  isStale: boolean;
}) {
  const { t } = useTranslation("connections");
  return (
    <>
      {isStale && <p className="text-xs text-warning">{t("preview.stale")}</p>}
      <div>
        <p className="text-md font-medium tabular-nums">
          {items === 0 ? t("preview.none") : t("preview.items", { count: items })}
        </p>
        <p className="text-fg-2">
          {items === 0 && skipped.length === 0
            ? t("preview.noneText")
            : bytes === null
              ? items > 0 && t("preview.bytesUnknown")
              : t("preview.bytes", { text: formatBytes(bytes) })}
        </p>
        {!isComplete && <p className="text-fg-2">{t("preview.more")}</p>}
      </div>
      {examples.length > 0 && (
        <div>
          <h4 className="text-xs text-fg-3">{t("preview.examples")}</h4>
          <ul>
            {examples.map(({ title, address }) => (
              <li key={address} className="min-w-0 py-0.5">
                <span className="block truncate">
                  <bdi>{title || address}</bdi>
                </span>
                {title !== address && title !== "" && (
                  <span className="block truncate text-xs text-fg-3" dir="ltr">
                    {address}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {skipped.length > 0 && (
        <div>
          <h4 className="text-xs text-fg-3">{t("preview.skipped")}</h4>
          <ul className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
            {skipped.map(({ fault, count }) => (
              <li key={JSON.stringify(fault)} className="col-span-2 grid grid-cols-subgrid">
                <span className="text-end tabular-nums">{formatNumber(count)}</span>
                <span className="text-fg-2 wrap-anywhere">
                  <FaultText fault={fault} fallback={t("unknownReason")} />
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
