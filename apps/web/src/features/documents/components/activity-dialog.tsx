import { useVirtualizer } from "@tanstack/react-virtual";
import { X } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { ProgressBar } from "../../../components/ui/progress-bar.tsx";
import { fileTag, formatBytes, formatNumber } from "../../../lib/format.ts";
import { mostFiles } from "../state/dropped-files.ts";
import { isMoving, useUploads, type Upload } from "../state/shown-uploads.ts";
import { dismissUpload, dismissUploads, retryFailed, summarise } from "../state/uploads.ts";
import { goOn, UploadState } from "./upload-rows.tsx";

const rank: Record<Upload["state"], number> = {
  failed: 0,
  uploading: 1,
  processing: 1,
  waiting: 2,
  skipped: 3,
  done: 4,
};

/** All uploads and fetched pages, with their outcome. */
export function ActivityDialog({ slug, onClose }: { slug: string; onClose: () => void }) {
  const { t } = useTranslation(["library", "documents"]);
  const all = useUploads();
  const uploads = useMemo(
    () =>
      all
        .filter((upload) => upload.slug === slug)
        .sort((a, b) => rank[a.state] - rank[b.state] || a.id - b.id),
    [all, slug],
  );
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const virtual = useVirtualizer({
    count: uploads.length,
    getScrollElement: () => box,
    estimateSize: () => 53,
    overscan: 6,
    getItemKey: (index) => uploads[index]?.id ?? index,
  });
  const summary = summarise(slug, all);
  const reasonOf = ({ state, reason }: Upload): string | null =>
    state !== "skipped"
      ? reason
      : reason === "many"
        ? t("skippedMany", { text: formatNumber(mostFiles) })
        : reason === "unreadable"
          ? t("skippedUnreadable")
          : t("skippedKind");
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("activity")}
      description={t("activityText")}
      className="activity"
    >
      <UploadSummaryLine slug={slug} />
      {uploads.length === 0 ? (
        <p className="t3">{t("activityEmpty")}</p>
      ) : (
        <div
          className="rows activity-rows"
          ref={setBox}
          tabIndex={0}
          role="region"
          aria-label={t("documents:uploads")}
        >
          <ul className="relative" style={{ blockSize: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start, key }) => {
              const upload = uploads[index];
              return (
                upload && (
                  <li
                    key={key}
                    data-index={index}
                    ref={virtual.measureElement}
                    className="absolute inset-x-0 top-0 activity-row"
                    style={{ transform: `translateY(${start}px)` }}
                  >
                    <span className="ft" aria-hidden="true">
                      {upload.link ? "WEB" : fileTag(upload.name)}
                    </span>
                    <div className="name">
                      <b className="cut" title={upload.name}>
                        <bdi>{upload.name}</bdi>
                      </b>
                      <span className="cut num xs t3">
                        <bdi>
                          {[upload.folder, upload.bytes > 0 ? formatBytes(upload.bytes) : ""]
                            .filter(Boolean)
                            .join(" · ")}
                        </bdi>
                      </span>
                    </div>
                    <UploadState
                      upload={upload}
                      reason={reasonOf(upload)}
                      sent={t("sent")}
                      listed
                    />
                    {upload.state === "done" ? (
                      <span />
                    ) : (
                      <IconButton
                        label={t(isMoving(upload) ? "cancelOne" : "dismissOne", {
                          name: upload.name,
                        })}
                        onClick={(event) => {
                          goOn(event);
                          dismissUpload(upload.id);
                        }}
                      >
                        <X className="i sm" />
                      </IconButton>
                    )}
                  </li>
                )
              );
            })}
          </ul>
        </div>
      )}
      <footer>
        {summary.failed > 0 && (
          <button type="button" className="btn" onClick={() => retryFailed(slug)}>
            {t("retryFailed")}
          </button>
        )}
        {summary.failed + summary.skipped > 0 && (
          <button
            type="button"
            className="btn quiet"
            onClick={() =>
              dismissUploads(
                slug,
                (upload) => upload.state === "failed" || upload.state === "skipped",
              )
            }
          >
            {t("clearList")}
          </button>
        )}
        {summary.moving > 0 && (
          <button
            type="button"
            className="btn quiet"
            onClick={() => dismissUploads(slug, isMoving)}
          >
            {t("cancelAll")}
          </button>
        )}
        <button type="button" className="btn primary" onClick={onClose}>
          {t("close")}
        </button>
      </footer>
    </Dialog>
  );
}

/** Upload progress in one line; empty while nothing is uploading. */
export function UploadSummaryLine({ slug, onDetails }: { slug: string; onDetails?: () => void }) {
  const { t } = useTranslation("library");
  const summary = summarise(slug, useUploads());
  const { moving, failed, skipped, done, total } = summary;
  if (moving + failed + skipped === 0) return null;
  const way =
    moving > 0
      ? t("uploadingOf", { done: formatNumber(done), total: formatNumber(total) })
      : done > 0
        ? t("uploadsDone", { count: done, text: formatNumber(done) })
        : null;
  const out =
    skipped > 0 ? t("uploadsSkipped", { count: skipped, text: formatNumber(skipped) }) : null;
  return (
    <div className="upload-line" role="status">
      <span className="row">
        <span className="grow num">
          {way}
          {failed > 0 && (
            <>
              {way && " · "}
              <span className="bad-text">
                {t("uploadsFailed", { count: failed, text: formatNumber(failed) })}
              </span>
            </>
          )}
          {out && `${way !== null || failed > 0 ? " · " : ""}${out}`}
        </span>
        {onDetails && (
          <button type="button" className="link xs" onClick={onDetails}>
            {t("details")}
          </button>
        )}
      </span>
      {moving > 0 && <ProgressBar value={summary.fraction} label={way ?? ""} />}
    </div>
  );
}
