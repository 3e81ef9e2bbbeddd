import type { WorkspaceWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Avatar } from "../../../components/ui/avatar.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { initialsOf } from "../../../lib/initials.ts";
import { toast } from "../../../lib/toast.ts";
import { workspacePictureQuery } from "../../../lib/workspaces.ts";
import { useRemoveWorkspacePicture, useUploadWorkspacePicture } from "../api/workspace.ts";
import { FileInput } from "../../../components/ui/file-input.tsx";

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
    <FormSection title={t("picture")} help={t("pictureHelp")}>
      <div className="flex items-center gap-4">
        <Avatar
          size="lg"
          shape="square"
          initials={initialsOf(workspace.name)}
          picture={has ? bytes : null}
        />
        <div className="flex items-center gap-2 flex-wrap">
          <FileInput
            ref={picker}
            accept="image/*"
            label={t("picture")}
            onFiles={([file]) =>
              upload.mutate(file!, { onSuccess: () => toast.success(t("pictureUploaded")) })
            }
          />
          <Button
            ref={button}
            className="max-md:h-11"
            disabled={busy}
            onClick={() => picker.current?.click()}
          >
            {upload.isPending
              ? t("pictureUploading")
              : has
                ? t("pictureReplace")
                : t("pictureUpload")}
          </Button>
          {has && (
            <Button
              className="max-md:h-11"
              variant="quiet"
              disabled={busy}
              onClick={() => remove.mutate(undefined, { onSuccess: onRemoved })}
            >
              {remove.isPending ? t("pictureRemoving") : t("pictureRemove")}
            </Button>
          )}
        </div>
      </div>
    </FormSection>
  );
}
