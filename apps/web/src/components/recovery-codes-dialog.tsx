import "../lib/auth-texts.ts";
import { Copy, Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "./ui/dialog.tsx";
import { Notice } from "./ui/notice.tsx";
import { copyText, saveText } from "../lib/clipboard.ts";
import { toast } from "../lib/toast.ts";

/** Shows new recovery codes. It closes only once they have been downloaded. */
export default function RecoveryCodesDialog({
  codes,
  onClose,
}: {
  codes: string[];
  onClose: () => void;
}) {
  const { t } = useTranslation("auth");
  const [saved, setSaved] = useState(false);
  const text = codes.join("\n");
  return (
    <Dialog
      open
      onClose={() => {
        if (saved) onClose();
      }}
      title={t("codes.title")}
      description={t("codes.text")}
    >
      <ol className="codes">
        {codes.map((code, index) => (
          <li key={code}>
            <span aria-hidden="true">{index + 1}</span>
            {code}
          </li>
        ))}
      </ol>
      <Notice kind="warn">
        <p>{t("codes.warning")}</p>
      </Notice>
      <footer>
        <button
          type="button"
          className="btn quiet -ms-3"
          onClick={() => void copyText(text).then(() => toast.success(t("codes.copied")))}
        >
          <Copy className="i" aria-hidden="true" />
          {t("codes.copy")}
        </button>
        <span className="grow" />
        {saved ? (
          <button type="button" className="btn primary" autoFocus onClick={onClose}>
            {t("codes.close")}
          </button>
        ) : (
          <button
            type="button"
            className="btn primary"
            autoFocus
            onClick={() => {
              saveText("recovery_codes.txt", `${text}\n`);
              setSaved(true);
            }}
          >
            <Download className="i" aria-hidden="true" />
            {t("codes.download")}
          </button>
        )}
      </footer>
    </Dialog>
  );
}
