import { CircleAlert, CircleCheck, Clock, Copy, X } from "lucide-react";
import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { FileType } from "../../../components/ui/badge.tsx";
import { IconButton } from "../../../components/ui/button.tsx";
import { ProgressBar } from "../../../components/ui/progress.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { fileTag } from "../../../lib/file-tag.ts";
import { formatBytes, formatPercent, sentenceSpace } from "../../../lib/format.ts";
import { useUploads, useWaitsForServer, type Upload } from "../state/upload-store.ts";
import { dismissUpload, keepBoth, retryUpload } from "../state/uploads.ts";
import {
  StatusLine,
  actionsCell,
  addedCell,
  bodyRow,
  factsLine,
  fileCell,
  statusCell,
  statusLink,
  titleLine,
} from "./status-line.tsx";

/**
 * The state of an upload. `sent` replaces the label "Searchable" if the document has its own row
 * that shows the rest.
 */
export function UploadState({
  upload,
  reason = upload.reason,
  sent,
  listed = false,
}: {
  upload: Upload;
  /** The reason as text, for uploads that only have a code. */
  reason?: string | null;
  sent?: string;
  /** Inside a list that the user opened, where errors need no extra emphasis. */
  listed?: boolean;
}) {
  const { t } = useTranslation("documents");
  const waitsForServer = useWaitsForServer();
  switch (upload.state) {
    case "waiting":
      return (
        <StatusLine tone="waiting" icon={Clock}>
          {t(waitsForServer ? "waitingForServer" : "waiting")}
        </StatusLine>
      );
    case "uploading":
      return (
        <StatusLine
          progress={
            <ProgressBar
              value={upload.progress}
              label={t("uploadingName", { name: upload.name })}
            />
          }
        >
          <span className="min-w-0 flex-1">{t("uploading")}</span>
          <span className="text-fg-3 tabular-nums">{formatPercent(upload.progress)}</span>
        </StatusLine>
      );
    case "processing":
      return <StatusLine>{upload.link ? t("fetching") : t("processing")}</StatusLine>;
    case "done":
      return (
        <StatusLine tone="success" icon={CircleCheck}>
          <span className="text-fg-2">{sent ?? t("searchable")}</span>
        </StatusLine>
      );
    case "skipped":
      return (
        <StatusLine tone="waiting" icon={CircleAlert} wraps>
          <span>{reason}</span>
        </StatusLine>
      );
    case "failed":
      if (upload.isIdentical)
        return (
          <StatusLine tone="waiting" role={listed ? undefined : "status"} icon={Copy} wraps>
            <span>
              <bdi>{upload.reason}</bdi>
              {sentenceSpace()}
              <button type="button" className={statusLink} onClick={() => keepBoth(upload.id)}>
                {t("keepBoth")}
              </button>
            </span>
          </StatusLine>
        );
      return (
        <StatusLine tone="danger" role={listed ? undefined : "alert"} icon={CircleAlert} wraps>
          <span>
            <bdi>{upload.reason === "network" ? t("networkFailed") : upload.reason}</bdi>
            {sentenceSpace()}
            <button type="button" className={statusLink} onClick={() => retryUpload(upload.id)}>
              {t("retry")}
            </button>
          </span>
        </StatusLine>
      );
  }
}

/** Moves keyboard focus to the next file, or to the list, before the focused row disappears. */
export function focusNextUpload(event: MouseEvent<HTMLElement>): void {
  if (event.detail > 0) return; // mouse click
  const row = event.currentTarget.closest('[role="row"], li');
  const near = [row?.nextElementSibling, row?.previousElementSibling]
    .map((each) => each?.querySelector<HTMLElement>("[data-dismiss]"))
    .find(Boolean);
  (
    near ?? row?.closest('[role="grid"]')?.querySelector<HTMLElement>('[data-row][tabindex="0"]')
  )?.focus();
}

/**
 * A folder may hold thousands of files; the rest is counted here and listed in the activity dialog.
 */
const maxShown = { rows: 6, tray: 30 };

/**
 * Uploads as rows of the list (`rows`) or as a tray above the composer (`tray`). `recorded` names
 * failed documents whose own rows already show the reason.
 */
export function UploadRows({
  slug,
  kind,
  recorded = [],
  selectable = false,
  onMore,
}: {
  slug: string;
  kind: "rows" | "tray";
  recorded?: string[];
  /** The list's rows start with a checkbox. */
  selectable?: boolean;
  onMore?: () => void;
}) {
  const { t } = useTranslation("documents");
  const mine = useUploads().filter((upload) => upload.slug === slug && upload.state !== "skipped");
  const all =
    kind === "tray"
      ? mine.toSorted((a, b) => Number(b.state === "failed") - Number(a.state === "failed"))
      : [
          ...mine.filter(
            (upload) =>
              upload.embed && upload.state === "failed" && !recorded.includes(upload.name),
          ),
          ...mine.filter(
            (upload) =>
              upload.embed &&
              (upload.state === "uploading" || (upload.state === "processing" && upload.link)),
          ),
          ...mine.filter((upload) => upload.embed && upload.state === "waiting"),
        ];
  if (all.length === 0) return null;
  const uploads = all.slice(0, maxShown[kind]);
  const more = all.length - uploads.length;
  if (kind === "tray") {
    return (
      <ul
        className="mb-2 grid max-h-[190px] gap-1 overflow-auto rounded-md border border-line bg-raised p-1.5 [--progress-width:none]"
        aria-label={t("uploads")}
      >
        {uploads.map((upload) => (
          <li key={upload.id} className="flex min-h-[34px] items-center gap-2.5 px-1 py-0.5">
            <FileType size="wide">{fileTag(upload.name)}</FileType>
            <span className="w-[38%] flex-none truncate font-medium max-md:w-[44%]">
              <bdi>{upload.name}</bdi>
            </span>
            <div className="min-w-0 flex-1">
              <UploadState upload={upload} />
            </div>
            {upload.state !== "done" && upload.state !== "processing" && (
              <IconButton
                label={t("dismiss", { name: upload.name })}
                onClick={() => dismissUpload(upload.id)}
              >
                <X className="size-3.5 stroke-2" />
              </IconButton>
            )}
          </li>
        ))}
        {more > 0 && (
          <li className="flex min-h-[34px] items-center px-1 py-0.5 text-fg-3">
            {t("moreWaiting", { count: more })}
          </li>
        )}
      </ul>
    );
  }
  return (
    <>
      {uploads.map((upload) => (
        <div className={cn(bodyRow, "hover:bg-hover")} role="row" key={`upload-${upload.id}`}>
          {selectable && <span role="gridcell" />}
          <FileType className={fileCell} role="gridcell">
            {upload.link ? "WEB" : fileTag(upload.name)}
          </FileType>
          <div className="min-w-0" role="gridcell">
            <b className={titleLine} title={upload.name} dir="auto">
              {upload.name}
            </b>
            <span className={factsLine}>{upload.link ? "" : formatBytes(upload.bytes)}</span>
          </div>
          <div className={statusCell} role="gridcell">
            <UploadState upload={upload} />
          </div>
          <span className={selectable ? addedCell.selectable : addedCell.plain} role="gridcell" />
          <div className={actionsCell} role="gridcell">
            <IconButton
              data-dismiss
              label={t("dismiss", { name: upload.name })}
              onClick={(event) => {
                focusNextUpload(event);
                dismissUpload(upload.id);
              }}
            >
              <X />
            </IconButton>
          </div>
        </div>
      ))}
      {more > 0 && (
        <div className={cn(bodyRow, "flex hover:bg-hover")} role="row">
          <span role="gridcell">
            {onMore ? (
              <button type="button" className={linkStyles} onClick={onMore}>
                {t("moreWaiting", { count: more })}
              </button>
            ) : (
              t("moreWaiting", { count: more })
            )}
          </span>
        </div>
      )}
    </>
  );
}
