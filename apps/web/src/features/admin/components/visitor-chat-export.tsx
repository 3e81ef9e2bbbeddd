import { chatExportTypes } from "@carrel/contracts";
import { Download, FileText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Menu } from "../../../components/ui/menu.tsx";
import { useExportVisitorChats } from "../api/visitor-chats.ts";

/** Downloads all chats of a widget, or one visitor's. */
export function VisitorChatExport({
  label,
  className,
  ...which
}: {
  label: string;
  className?: string;
  embedId: number;
  sessionId?: string;
}) {
  const { t } = useTranslation(["widgets", "recorded"]);
  const save = useExportVisitorChats();
  return (
    <Menu
      trigger={
        <Button className={className} disabled={save.isPending}>
          <Download className="size-3.5 stroke-2" aria-hidden="true" />
          {save.isPending ? t("chats.exporting") : label}
        </Button>
      }
      items={chatExportTypes.map((type) => ({
        label: t(`recorded:as.${type}`),
        icon: FileText,
        run: () => save.mutate({ type, ...which }),
      }))}
    />
  );
}
