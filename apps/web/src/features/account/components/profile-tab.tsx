import type { UserWire } from "@carrel/contracts";
import { useRef } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { TextField } from "../../../components/ui/text-field.tsx";
import { nameFault, type CredentialFault } from "../../../lib/credential-rules.ts";
import { toast } from "../../../lib/toast.ts";
import { useRemovePicture, useUpdateProfile, useUploadPicture } from "../api/profile.ts";
import { Avatar } from "./avatar.tsx";

/** Picture, user name and bio. Sends only the fields that changed. */
export function ProfileTab({ user }: { user: UserWire }) {
  const { t } = useTranslation(["account", "common"]);
  const {
    register,
    handleSubmit,
    setError,
    formState: { errors },
  } = useForm({ defaultValues: { username: user.username, bio: user.bio } });
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
    <div className="account-rows">
      <PictureRow user={user} />
      <form className="account-rows" onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label={t("username")}
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
        <div className="field">
          <div className="lbl">
            <label htmlFor="account-bio">{t("bio")}</label>
          </div>
          <textarea
            id="account-bio"
            className="input area"
            rows={3}
            maxLength={1000}
            aria-describedby="account-bio-help"
            {...register("bio")}
          />
          <p className="help" id="account-bio-help">
            {t("bioHelp")}
          </p>
        </div>
        <footer>
          <button type="submit" className="btn primary" disabled={update.isPending}>
            {update.isPending ? t("saving") : t("save")}
          </button>
        </footer>
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
    <div className="account-picture">
      <Avatar user={user} large />
      <div className="grid gap-2">
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
            type="button"
            className="btn sm"
            disabled={upload.isPending}
            onClick={() => picker.current?.click()}
          >
            {upload.isPending ? t("pictureUploading") : t("pictureUpload")}
          </button>
          {user.pfpFilename !== null && (
            <button type="button" className="btn quiet sm" onClick={() => remove.mutate()}>
              {t("pictureRemove")}
            </button>
          )}
        </div>
        <p className="t3 xs">{t("pictureHelp")}</p>
      </div>
    </div>
  );
}
