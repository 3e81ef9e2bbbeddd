import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { SecretOnce } from "../../../components/ui/copy-button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";

/** Shows a webhook's secret once; only its button closes it. */
export function SecretDialog({
  title,
  value,
  onClose,
}: {
  title: string;
  value: string;
  onClose: () => void;
}) {
  const { t } = useTranslation("schedules");
  return (
    <Dialog open onClose={() => undefined} title={title} description={t("secretText")}>
      <SecretOnce label={t("secret")} value={value} />
      <Notice kind="warn" icon={<TriangleAlert aria-hidden="true" />}>
        {t("secretOnce")}
      </Notice>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          {t("done")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
