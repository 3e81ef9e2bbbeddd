import { CircleAlert, CircleCheck, Clock, X } from "lucide-react";
import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { ProgressBar } from "../../../components/ui/progress-bar.tsx";
import { fileTag, formatBytes, formatPercent } from "../../../lib/format.ts";
import { useUploads, type Upload } from "../state/shown-uploads.ts";
import { dismissUpload, retryUpload } from "../state/uploads.ts";

/**
 * The state of an upload. `sent` replaces the label "Ready" where the document has its own row that
 * shows the rest.
 */
export function UploadState({
  upload,
  reason = upload.reason,
  sent,
  listed = false,
}: {
  upload: Upload;
  /** The reason in words, for uploads that only carry a code. */
  reason?: string | null;
  sent?: string;
  /** In a list the user opened, where errors need no further emphasis. */
  listed?: boolean;
}) {
  const { t } = useTranslation("documents");
  switch (upload.state) {
    case "waiting":
      return (
        <div className="st wait">
          <span className="row">
            <Clock className="i sm" aria-hidden="true" />
            {t("waiting")}
          </span>
        </div>
      );
    case "uploading":
      return (
        <div className="st">
          <span className="row">
            <span className="grow">{t("uploading")}</span>
            <span className="t3 num">{formatPercent(upload.progress)}</span>
          </span>
          <ProgressBar value={upload.progress} label={t("uploadingName", { name: upload.name })} />
        </div>
      );
    case "processing":
      return (
        <div className="st">
          <span className="row">{upload.link ? t("fetching") : t("processing")}</span>
        </div>
      );
    case "done":
      return (
        <div className="st ok">
          <span className="row">
            <CircleCheck className="i sm" aria-hidden="true" />
            <span className="t2">{sent ?? t("searchable")}</span>
          </span>
        </div>
      );
    case "skipped":
      return (
        <div className="st wait">
          <span className="row items-start">
            <CircleAlert className="i sm" aria-hidden="true" />
            <span>{reason}</span>
          </span>
        </div>
      );
    case "failed":
      return (
        <div className="st bad" role={listed ? undefined : "alert"}>
          <span className="row items-start">
            <CircleAlert className="i sm" aria-hidden="true" />
            <span>
              <bdi>{upload.reason === "network" ? t("networkFailed") : upload.reason}</bdi>{" "}
              <button type="button" className="link" onClick={() => retryUpload(upload.id)}>
                {t("tryAgain")}
              </button>
            </span>
          </span>
        </div>
      );
  }
}

/** Moves keyboard focus to the next file, or to the list, before the focused row disappears. */
export function goOn(event: MouseEvent<HTMLElement>): void {
  if (event.detail > 0) return; // mouse click
  const row = event.currentTarget.closest('[role="row"], li');
  const near = [row?.nextElementSibling, row?.previousElementSibling]
    .map((each) => each?.querySelector<HTMLElement>(".ib"))
    .find(Boolean);
  (near ?? row?.closest(".rows")?.querySelector<HTMLElement>('[data-row][tabindex="0"]'))?.focus();
}

/**
 * A folder may hold thousands of files; the rest is counted here and listed in the activity dialog.
 */
const shown = { rows: 6, tray: 30 };

/**
 * Uploads as rows of the list (`rows`) or as a tray above the composer (`tray`). `recorded` names
 * failed documents whose own rows already show the reason.
 */
export function UploadRows({
  slug,
  kind,
  recorded = [],
  picks = false,
  onMore,
}: {
  slug: string;
  kind: "rows" | "tray";
  recorded?: string[];
  /** The list's rows start with a checkbox. */
  picks?: boolean;
  onMore?: () => void;
}) {
  const { t } = useTranslation("documents");
  const mine = useUploads().filter((upload) => upload.slug === slug && upload.state !== "skipped");
  const all =
    kind === "tray"
      ? mine
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
  const uploads = all.slice(0, shown[kind]);
  const more = all.length - uploads.length;
  if (kind === "tray") {
    return (
      <ul className="tray" aria-label={t("uploads")}>
        {uploads.map((upload) => (
          <li key={upload.id}>
            <span className="ft" aria-hidden="true">
              {fileTag(upload.name)}
            </span>
            <span className="cut med tray-name">
              <bdi>{upload.name}</bdi>
            </span>
            <div className="grow">
              <UploadState upload={upload} />
            </div>
            {upload.state !== "done" && upload.state !== "processing" && (
              <IconButton
                label={t("dismiss", { name: upload.name })}
                onClick={() => dismissUpload(upload.id)}
              >
                <X className="i sm" />
              </IconButton>
            )}
          </li>
        ))}
        {more > 0 && <li className="t3">{t("moreWaiting", { count: more })}</li>}
      </ul>
    );
  }
  return (
    <>
      {uploads.map((upload) => (
        <div className="d" role="row" key={`upload-${upload.id}`}>
          {picks && <span className="ck" role="gridcell" />}
          <span className="ft" role="gridcell" aria-hidden="true">
            {upload.link ? "WEB" : fileTag(upload.name)}
          </span>
          <div className="name" role="gridcell">
            <b className="cut" title={upload.name}>
              <bdi>{upload.name}</bdi>
            </b>
            <span className="cut num">{upload.link ? "" : formatBytes(upload.bytes)}</span>
          </div>
          <div role="gridcell">
            <UploadState upload={upload} />
          </div>
          <span className="added" role="gridcell" />
          <div className="acts2" role="gridcell">
            <IconButton
              label={t("dismiss", { name: upload.name })}
              onClick={(event) => {
                goOn(event);
                dismissUpload(upload.id);
              }}
            >
              <X className="i" />
            </IconButton>
          </div>
        </div>
      ))}
      {more > 0 && (
        <div className="d more-row" role="row">
          <span role="gridcell">
            {onMore ? (
              <button type="button" className="link" onClick={onMore}>
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
