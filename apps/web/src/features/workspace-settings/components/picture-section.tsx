import type { WorkspaceWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { useTranslation } from "react-i18next";
import { initialsOf } from "../../../lib/initials.ts";
import { toast } from "../../../lib/toast.ts";
import { workspacePictureQuery } from "../../../lib/workspaces.ts";
import { useRemoveWorkspacePicture, useUploadWorkspacePicture } from "../api/workspace.ts";

/** The picture shown next to answers in this workspace; saved as soon as it is chosen. */
export function PictureSection({ workspace }: { workspace: WorkspaceWire }) {
  const { t } = useTranslation("workspace");
  const picker = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const upload = useUploadWorkspacePicture(workspace.slug);
  const remove = useRemoveWorkspacePicture(workspace.slug);
  const busy = upload.isPending || remove.isPending;
  const bytes = useQuery(workspacePictureQuery(workspace.slug, workspace.pfpFilename)).data ?? null;
  const has = workspace.pfpFilename !== null;
  const onRemoved = (): void => {
    button.current?.focus(); // the button that was pressed is gone
    toast.success(t("pictureRemoved"));
  };
  return (
    <section aria-labelledby="wss-picture">
      <div>
        <h2 id="wss-picture">{t("picture")}</h2>
        <p className="t2">{t("pictureHelp")}</p>
      </div>
      <div className="account-picture">
        <span className="avatar lg wss-picture" aria-hidden="true">
          {has && bytes ? <Picture bytes={bytes} /> : initialsOf(workspace.name)}
        </span>
        <div className="row wrap">
          <input
            ref={picker}
            type="file"
            accept="image/*"
            hidden
            aria-label={t("picture")}
            onChange={(event) => {
              const file = event.target.files?.[0];
              event.target.value = "";
              if (file)
                upload.mutate(file, { onSuccess: () => toast.success(t("pictureUploaded")) });
            }}
          />
          <button
            ref={button}
            type="button"
            className="btn"
            disabled={busy}
            onClick={() => picker.current?.click()}
          >
            {upload.isPending
              ? t("pictureUploading")
              : has
                ? t("pictureReplace")
                : t("pictureUpload")}
          </button>
          {has && (
            <button
              type="button"
              className="btn quiet"
              disabled={busy}
              onClick={() => remove.mutate(undefined, { onSuccess: onRemoved })}
            >
              {remove.isPending ? t("pictureRemoving") : t("pictureRemove")}
            </button>
          )}
        </div>
      </div>
    </section>
  );
}

/** The object URL lives as long as the element. */
function Picture({ bytes }: { bytes: Blob }) {
  const give = useCallback(
    (image: HTMLImageElement) => {
      const address = URL.createObjectURL(bytes);
      image.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [bytes],
  );
  return <img ref={give} alt="" />;
}
