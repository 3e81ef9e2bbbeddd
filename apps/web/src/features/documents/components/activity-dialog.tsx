import { useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { X } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { FileType } from "../../../components/ui/badge.tsx";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { ProgressBar } from "../../../components/ui/progress.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { fileTag } from "../../../lib/file-tag.ts";
import { formatBytes, formatNumber, joinFacts } from "../../../lib/format.ts";
import { timeLeft } from "../../../lib/time-left.ts";
import { foldersQuery } from "../api/library.ts";
import { maxFiles } from "../state/dropped-files.ts";
import { folderPath } from "../state/folder-tree.ts";
import { summarise } from "../state/upload-batches.ts";
import { isInProgress, useUploads, useWaitsForServer, type Upload } from "../state/upload-store.ts";
import { dismissUpload, dismissUploads, retryFailed } from "../state/uploads.ts";
import { UploadState, focusNextUpload } from "./upload-rows.tsx";

const rank: Record<Upload["state"], number> = {
  failed: 0,
  uploading: 1,
  processing: 1,
  waiting: 2,
  skipped: 3,
  done: 4,
};

/** All uploads and fetched pages, with their outcomes. */
export function ActivityDialog({ slug, onClose }: { slug: string; onClose: () => void }) {
  const { t } = useTranslation(["documents-manager", "documents"]);
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
  const folders = useQuery({ ...foldersQuery, enabled: false }).data?.tree;
  const summary = summarise(slug, all);
  const reasonOf = ({ state, reason, name }: Upload): string | null =>
    state !== "skipped"
      ? reason
      : reason === "many"
        ? t("skippedMany", { text: formatNumber(maxFiles) })
        : reason === "unreadable"
          ? t("skippedUnreadable")
          : t("skippedKind", { name: /\.[^.]+$/.exec(name)?.[0] ?? "" });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("activity")}
      description={t("activityText")}
      className="w-[min(720px,100vw-24px)] grid-cols-1"
    >
      <UploadSummaryLine slug={slug} />
      {uploads.length === 0 ? (
        <p className="text-fg-3">{t("activityEmpty")}</p>
      ) : (
        <div
          className="-mx-6 h-[min(420px,46dvh)] flex-none overflow-auto border-y border-subtle scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent **:focus-visible:-outline-offset-2 max-md:-mx-5"
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
                    className="absolute inset-x-0 top-0 grid min-h-[52px] grid-cols-[28px_minmax(0,1fr)_210px_28px] items-center gap-3 border-b border-subtle py-1 ps-6 pe-5 max-md:grid-cols-[28px_minmax(0,1fr)_36px] max-md:ps-5 max-md:[&>:nth-child(3)]:col-start-2 max-md:[&>:nth-child(3)]:row-start-2 max-md:[&>:nth-child(4)]:col-start-3 max-md:[&>:nth-child(4)]:row-start-1"
                    style={{ transform: `translateY(${start}px)` }}
                  >
                    <FileType>{upload.link ? "WEB" : fileTag(upload.name)}</FileType>
                    <div>
                      <b className="block truncate font-medium" title={upload.name} dir="auto">
                        {upload.name}
                      </b>
                      <span className="block truncate text-xs text-fg-3 tabular-nums">
                        <bdi>
                          {joinFacts([
                            folderPath(folders, upload.folder),
                            upload.bytes > 0 ? formatBytes(upload.bytes) : "",
                          ])}
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
                        data-dismiss
                        label={t(isInProgress(upload) ? "cancelOne" : "dismissOne", {
                          name: upload.name,
                        })}
                        onClick={(event) => {
                          focusNextUpload(event);
                          dismissUpload(upload.id);
                        }}
                      >
                        <X className="size-3.5 stroke-2" />
                      </IconButton>
                    )}
                  </li>
                )
              );
            })}
          </ul>
        </div>
      )}
      <DialogFooter>
        {summary.failed > 0 && (
          <Button onClick={() => retryFailed(slug)}>{t("retryFailed")}</Button>
        )}
        {summary.failed + summary.skipped > 0 && (
          <Button
            variant="quiet"
            onClick={() =>
              dismissUploads(
                slug,
                (upload) => upload.state === "failed" || upload.state === "skipped",
              )
            }
          >
            {t("clearList")}
          </Button>
        )}
        {summary.inProgress > 0 && (
          <Button variant="quiet" onClick={() => dismissUploads(slug, isInProgress)}>
            {t("cancelAll")}
          </Button>
        )}
        <Button variant="primary" onClick={onClose}>
          {t("close")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

/** Upload progress in one line; empty while nothing is uploading. */
export function UploadSummaryLine({ slug, onDetails }: { slug: string; onDetails?: () => void }) {
  const { t } = useTranslation("documents-manager");
  const summary = summarise(slug, useUploads());
  const waitsForServer = useWaitsForServer();
  const { inProgress, failed, skipped, done, total } = summary;
  if (inProgress + failed + skipped === 0) return null;
  const way =
    inProgress > 0
      ? joinFacts([
          t(waitsForServer ? "uploadsWaitOf" : "uploadingOf", {
            done: formatNumber(done),
            total: formatNumber(total),
          }),
          summary.secondsLeft !== null && !waitsForServer && timeLeft(summary.secondsLeft),
        ])
      : done > 0
        ? t("uploadsDone", { count: done, text: formatNumber(done) })
        : null;
  const out =
    skipped > 0 ? t("uploadsSkipped", { count: skipped, text: formatNumber(skipped) }) : null;
  return (
    <div className="grid gap-1.5 text-xs text-fg-2" role="status">
      <span className="flex items-center gap-2">
        <span className="min-w-0 flex-1 tabular-nums">
          {way}
          {failed > 0 && (
            <>
              {way && " · "}
              <span className="text-danger">
                {t("uploadsFailed", { count: failed, text: formatNumber(failed) })}
              </span>
            </>
          )}
          {out && `${way !== null || failed > 0 ? " · " : ""}${out}`}
        </span>
        {onDetails && (
          <button type="button" className={cn(linkStyles, "text-xs")} onClick={onDetails}>
            {t("details")}
          </button>
        )}
      </span>
      {inProgress > 0 && <ProgressBar value={summary.fraction} label={way ?? ""} />}
    </div>
  );
}
