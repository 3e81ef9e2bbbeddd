import { useQuery } from "@tanstack/react-query";
import { Link2, Upload } from "lucide-react";
import { useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/choices.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { FieldError, FileInput, inputStyles } from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";
import { acceptedFormatsQuery } from "../api/accepted-types.ts";
import { processorQuery } from "../api/library.ts";
import { asDropped, filesOfFolder } from "../state/dropped-files.ts";
import { useFetchWebPage } from "../state/upload-batches.ts";
import { addDropped } from "../state/uploads.ts";
import { UploadSummaryLine } from "./activity-dialog.tsx";

/** Whether files added to My documents also go into the workspace; remembered in this browser. */
export const readEmbedUploads = (): boolean => readStored(keys.uploadsEmbed) !== "false";

/**
 * Adds files, folders and links: with its buttons, or by dropping and pasting anywhere on the page.
 */
export function UploadPanel({
  slug,
  accept,
  offline,
  alwaysEmbed,
  onActivity,
}: {
  slug: string;
  accept: string;
  /** The document processor is down. */
  offline: boolean;
  /** Everything goes into the workspace, so there is no checkbox. */
  alwaysEmbed: boolean;
  onActivity: () => void;
}) {
  const { t } = useTranslation(["documents-manager", "documents"]);
  const [embed, setEmbed] = useState(readEmbedUploads);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const processor = useQuery({ ...processorQuery, enabled: false });
  const [listsFormats, setListsFormats] = useState(false);
  const target = { embed: alwaysEmbed || embed };
  return (
    <div
      data-tall-bottom-bar
      className={cn(
        "grid grid-cols-1 flex-none gap-3 border-t border-subtle px-4 pt-3 pb-4",
        alwaysEmbed && "max-md:gap-2 max-md:pb-3",
      )}
    >
      <UploadSummaryLine slug={slug} onDetails={onActivity} />
      {offline && (
        <Notice
          kind="warn"
          action={
            <Button
              size="sm"
              disabled={processor.isFetching}
              onClick={() => void processor.refetch()}
            >
              {t("checkAgain")}
            </Button>
          }
        >
          <p>
            <b>{t("processorTitle")}</b>
          </p>
          <p>{t("processorText")}</p>
        </Notice>
      )}
      <FileInput
        ref={files}
        multiple
        accept={accept}
        label={t("workspace.upload")}
        onFiles={(chosen) => addDropped(slug, asDropped(chosen), target)}
      />
      <FileInput
        ref={folder}
        label={t("chooseFolder")}
        {...{ webkitdirectory: "" }}
        onFiles={(chosen) => addDropped(slug, filesOfFolder(chosen, accept), target)}
      />
      {!offline && (
        <div className="grid gap-1.5">
          <button
            type="button"
            className={cn(
              "grid w-full grid-cols-[auto_1fr] items-center gap-x-3 rounded-md border border-dashed border-control bg-surface px-4 text-fg-3 hover:border-accent-solid hover:bg-accent-subtle",
              alwaysEmbed
                ? "py-2.5 max-md:flex max-md:h-11 max-md:justify-center max-md:border-solid max-md:p-0"
                : "py-3",
            )}
            onClick={() => files.current?.click()}
          >
            <Upload className="row-span-2 size-5 stroke-[1.6] text-accent" aria-hidden="true" />
            <b className="font-medium text-fg-1">{t(alwaysEmbed ? "chooseFiles" : "dropTitle")}</b>
            <span className={cn("text-xs", alwaysEmbed && "max-md:hidden")}>{t("dropHint")}</span>
          </button>
          <p
            className={cn(
              "flex flex-wrap items-center justify-between gap-3 text-xs text-fg-3",
              alwaysEmbed && "max-md:hidden",
            )}
          >
            {!alwaysEmbed && (
              <label className="flex min-h-6 min-w-0 cursor-pointer items-center gap-2 max-md:min-h-9">
                <Checkbox
                  checked={embed}
                  onChange={() => {
                    setEmbed(!embed);
                    writeStored(keys.uploadsEmbed, String(!embed));
                  }}
                />
                {t("embedToo")}
              </label>
            )}
            <span className="flex flex-wrap gap-x-4 gap-y-1 *:min-h-6">
              <button type="button" className={linkStyles} onClick={() => setListsFormats(true)}>
                {t("formats")}
              </button>
              <button type="button" className={linkStyles} onClick={() => folder.current?.click()}>
                {t("chooseFolder")}
              </button>
            </span>
          </p>
        </div>
      )}
      {listsFormats && <FormatsDialog onClose={() => setListsFormats(false)} />}
      {!offline && <LinkForm slug={slug} embed={target.embed} />}
    </div>
  );
}

function LinkForm({ slug, embed }: { slug: string; embed: boolean }) {
  const { t } = useTranslation(["documents-manager", "documents"]);
  const [link, setLink] = useState("");
  const fetchWebPage = useFetchWebPage(slug);
  const problem = fetchWebPage.error?.message;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const text = link.trim();
    if (!text || fetchWebPage.isPending) return;
    const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
    fetchWebPage.mutate({ link: url, embed }, { onSuccess: () => setLink("") });
  };
  return (
    <form className="grid min-w-0 grid-cols-1 gap-1.5" onSubmit={submit} noValidate>
      <span className="text-xs text-fg-3 max-md:hidden">{t("submitLink")}</span>
      <div className="flex items-center gap-2">
        <label
          className={inputStyles({ invalid: Boolean(problem), box: true, className: "flex-1" })}
        >
          <Link2 className="size-3.5 stroke-2 text-fg-3" aria-hidden="true" />
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
              fetchWebPage.reset();
            }}
          />
        </label>
        <Button
          type="submit"
          className="h-9 flex-none max-md:h-11"
          disabled={fetchWebPage.isPending || link.trim() === ""}
        >
          {fetchWebPage.isPending ? t("documents:fetching") : t("fetchWebsite")}
        </Button>
      </div>
      {problem && (
        <FieldError id="link-error" role="alert">
          {problem}
        </FieldError>
      )}
    </form>
  );
}

/** All formats that can be uploaded, by kind. */
function FormatsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("documents-manager");
  const formats = useQuery(acceptedFormatsQuery).data ?? [];
  return (
    <Dialog open onClose={onClose} title={t("formats")} description={t("formatsText")}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        {formats.map(({ kind, endings }) => (
          <div key={kind} className="col-span-2 grid grid-cols-subgrid">
            <dt className="font-medium">{t(`kinds.${kind}`)}</dt>
            <dd className="text-fg-2">{endings.join(" ")}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-fg-2">{t("formatsNote")}</p>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          {t("close")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
