import { useQuery } from "@tanstack/react-query";
import { CircleAlert, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { FileType } from "../../../components/ui/badge.tsx";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { ProgressBar } from "../../../components/ui/progress.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { fileTag } from "../../../lib/file-tag.ts";
import { formatNumber, formatPercent } from "../../../lib/format.ts";
import { parsedFilesQuery, useEmbedParsedFiles, useRemoveParsedFile } from "../api/parsed-files.ts";
import { answererName, threadModelQuery } from "../api/thread-model.ts";
import {
  parseImages,
  removeFile,
  removeImage,
  retryFile,
  useAttachments,
} from "../state/attachments.ts";
import { threadKey } from "../state/generations.ts";

const fileBox =
  "flex max-w-full min-w-0 items-center gap-2 rounded-sm border border-line bg-raised py-1.25 ps-2 pe-1";

/** Above this share of the model's context window, files crowd out the conversation. */
const crowdedShare = 0.8;

/**
 * Above the composer: images of the next question, and files that answers in this thread read in
 * full.
 */
export default function AttachmentTray({
  slug,
  threadSlug,
  mayEmbed,
}: {
  slug: string;
  threadSlug: string | null;
  /** Managers may turn the files into documents of the workspace. */
  mayEmbed: boolean;
}) {
  const { t } = useTranslation("chat");
  const key = threadKey(slug, threadSlug);
  const { images, files } = useAttachments(key);
  const parsed = useQuery(parsedFilesQuery(slug, threadSlug)).data;
  const removing = useRemoveParsedFile({ slug, threadSlug });
  const embedding = useEmbedParsedFiles({ slug, threadSlug });
  const busy = embedding.isPending;
  const parsedFiles = parsed?.files ?? [];
  const share = parsed?.contextWindow ? parsed.currentContextTokenCount / parsed.contextWindow : 0;
  const model = useQuery(threadModelQuery(slug, threadSlug)).data;
  if (images.length + files.length + parsedFiles.length === 0) return null;
  return (
    <div className="mb-2 grid gap-2">
      {images.length > 0 && model?.seesImages === false && (
        <Notice
          kind="warn"
          action={
            <Button size="sm" onClick={() => void parseImages({ slug, threadSlug })}>
              {t("readImages")}
            </Button>
          }
        >
          <p>
            <b>{t("imagesUnseen", { model: answererName(model), count: images.length })}</b>
          </p>
          <p>{t("imagesUnseenHelp", { count: images.length })}</p>
        </Notice>
      )}
      {share > crowdedShare && (
        <Notice
          kind="warn"
          action={
            mayEmbed ? (
              <Button
                size="sm"
                disabled={busy}
                onClick={() => embedding.mutate(parsedFiles.map((file) => file.id))}
              >
                {busy ? t("embedding") : t("embed")}
              </Button>
            ) : undefined
          }
        >
          <p>
            <b>{t("crowded", { share: formatPercent(Math.min(1, share)) })}</b>
          </p>
          <p>{mayEmbed ? t("crowdedHelp") : t("crowdedHelpMember")}</p>
        </Notice>
      )}
      <ul className="flex max-h-42 flex-wrap gap-1.5 overflow-y-auto" aria-label={t("attached")}>
        {images.map((image) => (
          <li
            className="relative [&_img]:block [&_img]:size-13 [&_img]:rounded-sm [&_img]:border [&_img]:border-line [&_img]:object-cover [&_[data-slot=icon-button]]:absolute [&_[data-slot=icon-button]]:end-0.5 [&_[data-slot=icon-button]]:top-0.5 [&_[data-slot=icon-button]]:size-6 [&_[data-slot=icon-button]]:bg-overlay [&_[data-slot=icon-button]]:text-fg-1 max-md:[&_[data-slot=icon-button]]:size-7"
            key={image.id}
          >
            <img src={image.contentString} alt={image.name} />
            <IconButton
              label={t("removeFile", { name: image.name })}
              onClick={() => removeImage(key, image.id)}
            >
              <X className="size-3.5 stroke-2" />
            </IconButton>
          </li>
        ))}
        {parsedFiles.map((file) => (
          <li className={fileBox} key={`parsed-${file.id}`}>
            <FileType>{fileTag(file.title)}</FileType>
            <span className="grid min-w-0 text-xs">
              <b className="max-w-50 truncate font-medium text-fg-1" title={file.title}>
                {file.title}
              </b>
              <span className="text-fg-3 tabular-nums">
                {t("fileTokens", {
                  count: file.token_count_estimate,
                  text: formatNumber(file.token_count_estimate),
                })}
              </span>
            </span>
            <IconButton
              label={t("removeFile", { name: file.title })}
              onClick={() => removing.mutate(file.id)}
            >
              <X className="size-3.5 stroke-2" />
            </IconButton>
          </li>
        ))}
        {files.map((file) => (
          <li
            className={cn(fileBox, file.state === "failed" && "border-danger-line text-danger")}
            key={file.id}
          >
            <FileType>{fileTag(file.name)}</FileType>
            <span className="grid min-w-0 text-xs">
              <b className="max-w-50 truncate font-medium text-fg-1" title={file.name}>
                {file.name}
              </b>
              {file.state === "failed" ? (
                <span className="flex flex-wrap items-center gap-1" role="alert">
                  <CircleAlert className="size-3.5 stroke-2" aria-hidden="true" />
                  <span>{file.reason === "network" ? t("fileNetwork") : file.reason}</span>
                  <button
                    type="button"
                    className={linkStyles}
                    onClick={() => retryFile(key, file.id)}
                  >
                    {t("retry")}
                  </button>
                </span>
              ) : (
                <span className="text-fg-3 tabular-nums">
                  {file.state === "waiting"
                    ? t("fileWaiting")
                    : file.state === "reading"
                      ? t("fileReading")
                      : formatPercent(file.progress)}
                </span>
              )}
              {file.state === "uploading" && (
                <ProgressBar
                  value={file.progress}
                  label={t("fileUploading", { name: file.name })}
                />
              )}
            </span>
            <IconButton
              label={t("removeFile", { name: file.name })}
              onClick={() => removeFile(key, file.id)}
            >
              <X className="size-3.5 stroke-2" />
            </IconButton>
          </li>
        ))}
      </ul>
    </div>
  );
}
