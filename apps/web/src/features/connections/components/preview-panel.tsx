import type { Out, previewConnection } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { formatBytes } from "../../../lib/format.ts";
import { Count, countList } from "./source-page-parts.tsx";

export type Preview = Out<typeof previewConnection>;

/** What an import would bring, before anything is fetched. */
export function PreviewPanel({
  preview,
  isPending,
  isStale,
  isMirrored,
  error,
  onRetry,
}: {
  preview: Preview | undefined;
  isPending: boolean;
  /** The form has changed since. */
  isStale: boolean;
  /** Whether documents will be only for people who may see them at the source. */
  isMirrored: boolean;
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
        preview && (
          <>
            <Counted preview={preview} isStale={isStale} />
            {preview.permissions && preview.items > 0 && (
              <Readers preview={preview} isMirrored={isMirrored} />
            )}
          </>
        )
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
          {items === 0
            ? t("preview.none")
            : t(isComplete ? "preview.items" : "preview.itemsAtLeast", { count: items })}
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
          <ul className={countList}>
            {skipped.map(({ fault, count }) => (
              <Count key={JSON.stringify(fault)} of={count}>
                <FaultText fault={fault} fallback={t("unknownReason")} />
              </Count>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** Who would see the documents, and who wouldn't although they may at the source. */
function Readers({
  preview: { access, items },
  isMirrored,
}: {
  preview: Preview;
  isMirrored: boolean;
}) {
  const { t } = useTranslation("connections");
  return (
    <div className="grid grid-cols-1 gap-1 border-t border-subtle pt-3">
      <h4 className="text-xs text-fg-3">{t("preview.readers")}</h4>
      {!isMirrored ? (
        <>
          <p>{t("preview.openToAll")}</p>
          {access !== null && access.restricted > 0 && (
            <p className="text-warning">{t("preview.wouldOpen", { count: access.restricted })}</p>
          )}
        </>
      ) : access === null ? (
        <p className="text-fg-2">{t("preview.readersLater")}</p>
      ) : (
        <>
          <ul className={countList}>
            {access.everyone > 0 && <Count of={access.everyone}>{t("preview.forAll")}</Count>}
            {access.restricted > 0 && (
              <Count of={access.restricted}>{t("preview.forSome", { count: access.people })}</Count>
            )}
          </ul>
          {access.unmatched > 0 && (
            <p className="text-warning">{t("preview.unmatched", { count: access.unmatched })}</p>
          )}
          {access.checked < items && (
            <p className="text-xs text-fg-3">{t("preview.readersOf", { count: access.checked })}</p>
          )}
        </>
      )}
    </div>
  );
}
