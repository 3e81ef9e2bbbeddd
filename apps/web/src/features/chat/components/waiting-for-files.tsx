import { Clock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";

/** The files that a question waits for, with a way not to send it. */
export default function WaitingForFiles({
  names,
  onCancel,
}: {
  names: string[];
  onCancel: () => void;
}) {
  const { t } = useTranslation("chat");
  return (
    <div className="flex items-center gap-2 px-4 pb-1 text-sm text-fg-2" role="status">
      <Clock className="size-3.5 flex-none stroke-2" aria-hidden="true" />
      <span className="min-w-0 flex-1">
        {names.length === 1
          ? t("waitsForFile", { name: names[0] })
          : t("waitsForFiles", { count: names.length })}
      </span>
      <Button size="sm" onClick={onCancel}>
        {t("cancelWait")}
      </Button>
    </div>
  );
}
