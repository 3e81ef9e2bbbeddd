import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { acceptedFormatsQuery } from "../api/accepted-types.ts";

/** All formats that can be uploaded, by kind. */
export function FormatsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("library");
  const formats = useQuery(acceptedFormatsQuery).data ?? [];
  return (
    <Dialog open onClose={onClose} title={t("formats")} description={t("formatsText")}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        {formats.map(({ kind, endings }) => (
          <div key={kind} className="col-span-2 grid grid-cols-subgrid">
            <dt className="font-medium">{t(`kinds.${kind}`)}</dt>
            <dd className="text-fg-2">{endings.join(" ")}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-fg-2">{t("formatsNote")}</p>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          {t("close")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
