import { Minus, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";

/** The bar below pages. */
export const pageFooter =
  "flex h-11 flex-none items-center gap-1 border-t border-subtle px-3 text-xs/5 whitespace-nowrap text-fg-2";

export function ZoomControls({ zoom, onZoom }: { zoom: number; onZoom: (zoom: number) => void }) {
  const { t } = useTranslation("sources");
  return (
    <>
      <IconButton label={t("smaller")} disabled={zoom <= 0.5} onClick={() => onZoom(zoom - 0.25)}>
        <Minus />
      </IconButton>
      <Button className="tabular-nums" variant="quiet" size="sm" onClick={() => onZoom(1)}>
        {zoom === 1 ? t("fit") : `${Math.round(zoom * 100)}\u00a0%`}
      </Button>
      <IconButton label={t("larger")} disabled={zoom >= 3} onClick={() => onZoom(zoom + 0.25)}>
        <Plus />
      </IconButton>
    </>
  );
}
