import { useQuery } from "@tanstack/react-query";
import { Link2, Upload } from "lucide-react";
import { useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/ui/notice.tsx";
import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";
import { toast } from "../../../lib/toast.ts";
import { fetchPage } from "../api/documents.ts";
import { processorQuery } from "../api/library.ts";
import { errorMessage } from "../../../lib/error-message.ts";
import { refreshDocumentLists } from "../state/refresh.ts";
import { addDropped } from "../state/uploads.ts";
import { filesOfFolder } from "../state/dropped-files.ts";
import { UploadSummaryLine } from "./activity-dialog.tsx";
import { Check } from "./check.tsx";

/** Whether files added to My documents also go into the workspace; remembered in this browser. */
export const readEmbedToo = (): boolean => readStored(keys.uploadsEmbed) !== "false";

/**
 * Adds files, folders and links: with its buttons, or by dropping and pasting anywhere on the page.
 */
export function Intake({
  slug,
  accept,
  offline,
  always,
  onActivity,
}: {
  slug: string;
  accept: string;
  /** The document processor is down. */
  offline: boolean;
  /** Everything goes into the workspace, so there is no checkbox. */
  always: boolean;
  onActivity: () => void;
}) {
  const { t } = useTranslation(["library", "documents"]);
  const [embed, setEmbed] = useState(readEmbedToo);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const processor = useQuery({ ...processorQuery, enabled: false });
  const target = { embed: always || embed };
  return (
    <div className="intake">
      <UploadSummaryLine slug={slug} onDetails={onActivity} />
      {offline && (
        <Notice
          kind="warn"
          action={
            <button
              type="button"
              className="btn sm"
              disabled={processor.isFetching}
              onClick={() => void processor.refetch()}
            >
              {t("checkAgain")}
            </button>
          }
        >
          <p>
            <b>{t("processorTitle")}</b>
          </p>
          <p>{t("processorText")}</p>
        </Notice>
      )}
      <input
        ref={files}
        type="file"
        multiple
        hidden
        accept={accept}
        aria-label={t("workspace.upload")}
        onChange={({ target: input }) => {
          addDropped(
            slug,
            { files: [...(input.files ?? [])].map((file) => ({ file, folder: "" })), skipped: [] },
            target,
          );
          input.value = "";
        }}
      />
      <input
        ref={folder}
        type="file"
        hidden
        aria-label={t("chooseFolder")}
        {...{ webkitdirectory: "" }}
        onChange={({ target: input }) => {
          addDropped(slug, filesOfFolder([...(input.files ?? [])], accept), target);
          input.value = "";
        }}
      />
      {!offline && (
        <div className="drop-place">
          <button type="button" className="drop" onClick={() => files.current?.click()}>
            <Upload className="i lg" aria-hidden="true" />
            <b>{t(always ? "chooseFiles" : "dropTitle")}</b>
            <span className="xs">{t("dropHint")}</span>
          </button>
          <p className="xs t3">
            {!always && (
              <label className="tag-choice">
                <Check
                  checked={embed}
                  onChange={() => {
                    setEmbed(!embed);
                    writeStored(keys.uploadsEmbed, String(!embed));
                  }}
                />
                {t("embedToo")}
              </label>
            )}
            <button type="button" className="link" onClick={() => folder.current?.click()}>
              {t("chooseFolder")}
            </button>
          </p>
        </div>
      )}
      {!offline && <LinkForm slug={slug} embed={target.embed} />}
    </div>
  );
}

function LinkForm({ slug, embed }: { slug: string; embed: boolean }) {
  const { t } = useTranslation(["library", "documents"]);
  const [link, setLink] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const text = link.trim();
    if (!text || busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await fetchPage(
        slug,
        /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`,
        embed,
      );
      setLink("");
      toast.success(t("workspace.fetched"));
      refreshDocumentLists();
    } catch (error) {
      setProblem(errorMessage(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="field" onSubmit={(event) => void submit(event)} noValidate>
      <span className="xs t3">{t("submitLink")}</span>
      <div className="row">
        <label className={problem ? "input box bad grow" : "input box grow"}>
          <Link2 className="i sm t3" aria-hidden="true" />
          <input
            type="url"
            inputMode="url"
            dir="ltr"
            value={link}
            maxLength={8192}
            placeholder="https://"
            aria-label={t("workspace.link")}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? "link-error" : undefined}
            onChange={(event) => {
              setLink(event.target.value);
              setProblem(null);
            }}
          />
        </label>
        <button type="submit" className="btn fetch" disabled={busy || link.trim() === ""}>
          {busy ? t("documents:fetching") : t("fetchWebsite")}
        </button>
      </div>
      {problem && (
        <p className="err" id="link-error" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
