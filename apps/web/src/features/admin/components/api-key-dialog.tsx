import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { useCreateApiKey } from "../api/api-keys.ts";
import { SecretDialog } from "./secret-dialog.tsx";

/** Asks what the key is for, creates it and shows it once. */
export function ApiKeyDialog({ multiUser, onClose }: { multiUser: boolean; onClose: () => void }) {
  const { t } = useTranslation("admin");
  const [name, setName] = useState("");
  const create = useCreateApiKey(multiUser);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!create.isPending) create.mutate(name.trim());
  };
  if (create.isSuccess)
    return (
      <SecretDialog
        title={t("keys.createdTitle")}
        label={t("keys.key")}
        value={create.data}
        onClose={onClose}
      />
    );
  return (
    <Dialog open onClose={onClose} title={t("keys.newTitle")} description={t("keys.newText")}>
      <form className="grid gap-4" onSubmit={submit}>
        <TextField
          label={t("keys.name")}
          extra={<span className="text-fg-3">{t("users.optional")}</span>}
          placeholder={t("keys.nameHint")}
          value={name}
          maxLength={255}
          autoFocus
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
        {create.error && (
          <Notice kind="bad">
            <p>{t("keys.createFailed", { message: create.error.message })}</p>
          </Notice>
        )}
        <DialogFooter>
          <Button variant="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" variant="primary" disabled={create.isPending}>
            {create.isPending ? t("keys.creating") : t("keys.create")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
