import { useQuery } from "@tanstack/react-query";
import { errorMessage } from "../../../lib/error-message.ts";
import { CircleAlert, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { ProgressBar } from "../../../components/ui/progress-bar.tsx";
import { fileTag, formatNumber, formatPercent } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { embedParsedFiles, parsedFilesQuery, removeParsedFile } from "../api/parsed-files.ts";
import { removeFile, removeImage, retryFile, useAttached } from "../state/attachments.ts";
import { threadKey } from "../state/generations.ts";

/** Above this share of the model's context window, files crowd out the conversation. */
const crowded = 0.8;

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
  /** Managers may turn them into documents of the workspace. */
  mayEmbed: boolean;
}) {
  const { t } = useTranslation("chat");
  const key = threadKey(slug, threadSlug);
  const { images, files } = useAttached(key);
  const parsed = useQuery(parsedFilesQuery(slug, threadSlug)).data;
  const [busy, setBusy] = useState(false);
  const kept = parsed?.files ?? [];
  const share = parsed?.contextWindow ? parsed.currentContextTokenCount / parsed.contextWindow : 0;
  const remove = (id: number): void =>
    void removeParsedFile(slug, threadSlug, id).catch((error: unknown) =>
      toast.error(errorMessage(error)),
    );
  const embed = async (): Promise<void> => {
    setBusy(true);
    try {
      await embedParsedFiles(
        slug,
        threadSlug,
        kept.map((file) => file.id),
      );
      toast.success(t("embedded", { count: kept.length }));
    } catch (error) {
      toast.error(errorMessage(error));
    } finally {
      setBusy(false);
    }
  };
  if (images.length + files.length + kept.length === 0) return null;
  return (
    <div className="attached">
      {share > crowded && (
        <Notice
          kind="warn"
          action={
            mayEmbed ? (
              <button type="button" className="btn sm" disabled={busy} onClick={() => void embed()}>
                {busy ? t("embedding") : t("embed")}
              </button>
            ) : undefined
          }
        >
          <p>
            <b>{t("crowded", { share: formatPercent(Math.min(1, share)) })}</b>
          </p>
          <p>{mayEmbed ? t("crowdedHelp") : t("crowdedHelpMember")}</p>
        </Notice>
      )}
      <ul className="attached-list" aria-label={t("attached")}>
        {images.map((image) => (
          <li className="picture" key={image.id}>
            <img src={image.contentString} alt={image.name} />
            <IconButton
              label={t("removeFile", { name: image.name })}
              onClick={() => removeImage(key, image.id)}
            >
              <X className="i sm" />
            </IconButton>
          </li>
        ))}
        {kept.map((file) => (
          <li className="file" key={`kept-${file.id}`}>
            <span className="ft" aria-hidden="true">
              {fileTag(file.title)}
            </span>
            <span className="file-words">
              <b className="cut" title={file.title}>
                {file.title}
              </b>
              <span className="t3 num">
                {t("fileTokens", {
                  count: file.token_count_estimate,
                  text: formatNumber(file.token_count_estimate),
                })}
              </span>
            </span>
            <IconButton
              label={t("removeFile", { name: file.title })}
              onClick={() => remove(file.id)}
            >
              <X className="i sm" />
            </IconButton>
          </li>
        ))}
        {files.map((file) => (
          <li className={file.state === "failed" ? "file bad" : "file"} key={file.id}>
            <span className="ft" aria-hidden="true">
              {fileTag(file.name)}
            </span>
            <span className="file-words">
              <b className="cut" title={file.name}>
                {file.name}
              </b>
              {file.state === "failed" ? (
                <span role="alert">
                  <CircleAlert className="i sm" aria-hidden="true" />
                  <span>{file.reason === "network" ? t("fileNetwork") : file.reason}</span>
                  <button type="button" className="link" onClick={() => retryFile(key, file.id)}>
                    {t("retry")}
                  </button>
                </span>
              ) : (
                <span className="t3 num">
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
              <X className="i sm" />
            </IconButton>
          </li>
        ))}
      </ul>
    </div>
  );
}
