import type { UserWire } from "@carrel/contracts";
import { useRef } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { DialogFooter } from "../../../components/ui/dialog.tsx";
import {
  Field,
  FieldHelp,
  FileInput,
  Textarea,
  labelStyles,
} from "../../../components/ui/field.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { nameFault, type CredentialFault } from "../../../lib/credential-rules.ts";
import { toast } from "../../../lib/toast.ts";
import { useRemovePicture, useUpdateProfile, useUploadPicture } from "../api/profile.ts";
import { UserAvatar } from "./user-avatar.tsx";

/** Picture, user name and bio. Sends only the fields that changed. */
export function ProfileTab({ user }: { user: UserWire }) {
  const { t } = useTranslation(["account", "common"]);
  const {
    register,
    handleSubmit,
    setError,
    formState: { errors },
  } = useForm({ mode: "onTouched", defaultValues: { username: user.username, bio: user.bio } });
  const update = useUpdateProfile();
  const submit = handleSubmit(({ username, bio }) => {
    const changes = {
      ...(username !== user.username ? { username } : {}),
      ...(bio !== user.bio ? { bio } : {}),
    };
    update.mutate(changes, {
      onSuccess: () => toast.success(t("updated")),
      onError: (error) => {
        const message = t("notUpdated", { message: error.message });
        if (/username/i.test(message)) setError("username", { type: "server", message });
      },
    });
  });
  const fault = errors.username;
  return (
    <div className="grid content-start gap-4">
      <PictureRow user={user} />
      <form
        className="grid content-start gap-4"
        onSubmit={(event) => void submit(event)}
        noValidate
      >
        <TextField
          className="max-w-[360px] max-md:max-w-none"
          label={t("username")}
          help={t("usernameHelp")}
          autoComplete="username"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          problem={
            fault &&
            (fault.type === "server"
              ? fault.message
              : t(`common:credential.${fault.message as CredentialFault}`))
          }
          {
            ...register("username", {
              validate: (value) => (value === user.username ? true : (nameFault(value) ?? true)),
            }) /* names from an OpenID provider are exempt */
          }
        />
        <Field>
          <div className={labelStyles}>
            <label htmlFor="account-bio">{t("bio")}</label>
          </div>
          <Textarea
            className="min-h-19"
            id="account-bio"
            rows={3}
            maxLength={1000}
            aria-describedby="account-bio-help"
            {...register("bio")}
          />
          <FieldHelp id="account-bio-help">{t("bioHelp")}</FieldHelp>
        </Field>
        <DialogFooter>
          <Button
            className="max-md:min-h-11"
            type="submit"
            variant="primary"
            disabled={update.isPending}
          >
            {update.isPending ? t("saving") : t("save")}
          </Button>
        </DialogFooter>
      </form>
    </div>
  );
}

function PictureRow({ user }: { user: UserWire }) {
  const { t } = useTranslation("account");
  const picker = useRef<HTMLInputElement>(null);
  const upload = useUploadPicture();
  const remove = useRemovePicture();
  return (
    <div className="flex items-center gap-4">
      <UserAvatar user={user} size="lg" />
      <div className="grid gap-2">
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
            className="max-md:min-h-11"
            size="sm"
            disabled={upload.isPending}
            onClick={() => picker.current?.click()}
          >
            {upload.isPending ? t("pictureUploading") : t("pictureUpload")}
          </Button>
          {user.pfpFilename !== null && (
            <Button
              className="max-md:min-h-11"
              variant="quiet"
              size="sm"
              onClick={() => remove.mutate()}
            >
              {t("pictureRemove")}
            </Button>
          )}
        </div>
        <p className="text-fg-3 text-xs">{t("pictureHelp")}</p>
      </div>
    </div>
  );
}
