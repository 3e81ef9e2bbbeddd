import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { pageFooter, ZoomControls } from "./zoom-controls.tsx";

/** The bar below a column of pages. */
export function PageFooter({
  shown,
  pages,
  goTo,
  zoom,
  onZoom,
}: {
  shown: number;
  /** 0 while unknown. */
  pages: number;
  goTo: (page: number) => void;
  zoom: number;
  onZoom: (zoom: number) => void;
}) {
  const { t } = useTranslation("sources");
  return (
    <footer className={pageFooter}>
      <IconButton label={t("previousPage")} disabled={shown <= 1} onClick={() => goTo(shown - 1)}>
        <ChevronLeft className="rtl:-scale-x-100" />
      </IconButton>
      <span className="tabular-nums" dir="ltr">
        {shown} / {pages || "–"}
      </span>
      <IconButton label={t("nextPage")} disabled={shown >= pages} onClick={() => goTo(shown + 1)}>
        <ChevronRight className="rtl:-scale-x-100" />
      </IconButton>
      <span className="min-w-0 flex-1" />
      <ZoomControls zoom={zoom} onZoom={onZoom} />
    </footer>
  );
}
