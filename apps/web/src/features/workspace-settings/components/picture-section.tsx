import type { WorkspaceWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { initialsOf } from "../../../lib/initials.ts";
import { toast } from "../../../lib/toast.ts";
import { pictureQuery, removePicture, uploadPicture, wordsOf } from "../api/workspace.ts";

/** The picture that answers in this workspace carry; it is saved as soon as it is chosen. */
export function PictureSection({ workspace }: { workspace: WorkspaceWire }) {
  const { t } = useTranslation("workspace");
  const picker = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [busy, setBusy] = useState<"upload" | "remove" | null>(null);
  const bytes = useQuery(pictureQuery(workspace)).data ?? null;
  const has = workspace.pfpFilename !== null;
  const upload = async (file: File): Promise<void> => {
    if (!file.type.startsWith("image/"))
      return toast.error(t("pictureNotUploaded", { message: t("pictureNotImage") }));
    setBusy("upload");
    try {
      await uploadPicture(workspace.slug, file);
      toast.success(t("pictureUploaded"));
    } catch (error) {
      toast.error(t("pictureNotUploaded", { message: wordsOf(error) }));
    } finally {
      setBusy(null);
    }
  };
  const remove = async (): Promise<void> => {
    setBusy("remove");
    try {
      await removePicture(workspace.slug);
      button.current?.focus(); // the one that was pressed is gone
      toast.success(t("pictureRemoved"));
    } catch (error) {
      toast.error(t("pictureNotRemoved", { message: wordsOf(error) }));
    } finally {
      setBusy(null);
    }
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
              if (file) void upload(file);
            }}
          />
          <button
            ref={button}
            type="button"
            className="btn"
            disabled={busy !== null}
            onClick={() => picker.current?.click()}
          >
            {busy === "upload"
              ? t("pictureUploading")
              : has
                ? t("pictureReplace")
                : t("pictureUpload")}
          </button>
          {has && (
            <button
              type="button"
              className="btn quiet"
              disabled={busy !== null}
              onClick={() => void remove()}
            >
              {busy === "remove" ? t("pictureRemoving") : t("pictureRemove")}
            </button>
          )}
        </div>
      </div>
    </section>
  );
}

/** The bytes have an address as long as the element is there. */
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
