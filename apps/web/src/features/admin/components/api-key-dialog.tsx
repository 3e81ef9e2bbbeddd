import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { makeApiKey } from "../api/keys.ts";
import { useMaking } from "../state/use-making.ts";
import { OnceDialog } from "./once-dialog.tsx";

/** Asks what a key is for, makes it, and shows it once. */
export function ApiKeyDialog({ multiUser, onClose }: { multiUser: boolean; onClose: () => void }) {
  const { t } = useTranslation("admin");
  const [name, setName] = useState("");
  const {
    made: secret,
    busy,
    problem,
    submit,
  } = useMaking(
    () => makeApiKey(multiUser, name.trim()),
    (message) => t("keys.createFailed", { message }),
  );
  if (secret !== null)
    return (
      <OnceDialog
        title={t("keys.madeTitle")}
        label={t("keys.key")}
        value={secret}
        onClose={onClose}
      />
    );
  return (
    <Dialog open onClose={onClose} title={t("keys.newTitle")} description={t("keys.newText")}>
      <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <TextField
          label={t("keys.name")}
          extra={<span className="t3">{t("users.optional")}</span>}
          placeholder={t("keys.nameHint")}
          value={name}
          maxLength={255}
          autoFocus
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
        {problem && (
          <Notice kind="bad">
            <p>{problem}</p>
          </Notice>
        )}
        <footer>
          <button type="button" className="btn quiet" onClick={onClose}>
            {t("cancel")}
          </button>
          <button type="submit" className="btn primary" disabled={busy}>
            {busy ? t("keys.creating") : t("keys.create")}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
