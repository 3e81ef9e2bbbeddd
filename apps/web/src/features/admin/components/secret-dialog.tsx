import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { SecretOnce } from "../../../components/ui/copy-button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { sentenceSpace } from "../../../lib/format.ts";

/**
 * A code or key as lists show it: only its last four characters are readable. The server masks
 * codes that can't be copied, and says why after a space.
 */
export const maskCode = (code: string): string =>
  code.split(" ", 1)[0]!.replaceAll(/[0-9A-Z](?=.{4})/g, "*");

export const isMasked = (code: string): boolean => code.includes("*");

/**
 * Shows a secret that can't be shown again, unless `later` says where. Esc and clicks outside are
 * ignored, so that only its button closes it.
 */
export function SecretDialog({
  title,
  text,
  label,
  value,
  later,
  onClose,
}: {
  title: string;
  text?: string;
  label: string;
  value: string;
  later?: string | null;
  onClose: () => void;
}) {
  const { t } = useTranslation("admin");
  return (
    <Dialog open onClose={() => undefined} title={title} description={text}>
      <SecretOnce label={label} value={value} />
      {later ? (
        <Notice>
          <p>{later}</p>
        </Notice>
      ) : (
        <Notice kind="warn" icon={<TriangleAlert aria-hidden="true" />}>
          <p>
            <b>{t("onceTitle")}.</b>
            {sentenceSpace()}
            {t("onceText")}
          </p>
        </Notice>
      )}
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          {t("done")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
