import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button.tsx";
import { Dialog, DialogFooter } from "./dialog.tsx";

/** Asks before something that can't be undone. The button names the action. */
export function ConfirmDialog({
  open,
  title,
  text,
  action,
  onConfirm,
  onClose,
}: {
  open: boolean;
  title: string;
  text: string;
  action: string;
  /** Failures are reported by the mutation itself. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    await onConfirm().catch(() => undefined);
    setBusy(false);
    onClose();
  };
  return (
    <Dialog open={open} onClose={onClose} title={title} description={text}>
      <DialogFooter>
        <Button variant="quiet" onClick={onClose}>
          {t("cancel")}
        </Button>
        <Button variant="danger" disabled={busy} onClick={() => void confirm()}>
          {action}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
