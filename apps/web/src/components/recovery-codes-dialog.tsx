import { Copy, Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import "../lib/auth-texts.ts";
import { toast } from "../lib/toast.ts";
import { Button } from "./ui/button.tsx";
import { copyText, saveText } from "./ui/copy-button.tsx";
import { Dialog, DialogFooter } from "./ui/dialog.tsx";
import { Notice } from "./ui/notice.tsx";

/** Shows new recovery codes. It closes only once they have been copied or downloaded. */
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
      <ol className="grid gap-px overflow-hidden rounded-md border border-line bg-line">
        {codes.map((code, index) => (
          <li
            key={code}
            className="flex gap-3.5 bg-sunken px-3.5 py-[9px] font-mono text-sm font-[500] tracking-[0.01em] wrap-anywhere max-md:gap-2.5 max-md:px-2.5 max-md:text-xs/5"
          >
            <span className="text-fg-3" aria-hidden="true">
              {index + 1}
            </span>
            {code}
          </li>
        ))}
      </ol>
      <Notice kind="warn">
        <p>{t("codes.warning")}</p>
      </Notice>
      <DialogFooter>
        <Button
          variant="quiet"
          className="-ms-3 max-md:ms-0"
          onClick={() =>
            void copyText(text).then(() => {
              setSaved(true);
              toast.success(t("codes.copied"));
            })
          }
        >
          <Copy aria-hidden="true" />
          {t("codes.copy")}
        </Button>
        <span className="min-w-0 flex-1" />
        <Button
          variant={saved ? "quiet" : "primary"}
          autoFocus
          onClick={() => {
            saveText("recovery_codes.txt", `${text}\n`);
            setSaved(true);
          }}
        >
          <Download aria-hidden="true" />
          {t("codes.download")}
        </Button>
        {saved && (
          <Button variant="primary" autoFocus onClick={onClose}>
            {t("codes.close")}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  );
}
