import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import { pageArea } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import type { usePagePosition } from "../state/use-page-position.ts";
import { ZoomControls, pageFooter } from "./zoom-controls.tsx";

/** The pages of a document stacked vertically, and the bar to page through and zoom them. */
export function PageColumn({
  box,
  position,
  pages,
  isBusy,
  zoom,
  onZoom,
  children,
}: {
  /** The scrolling element. */
  box: RefObject<HTMLDivElement | null>;
  position: ReturnType<typeof usePagePosition>;
  /** 0 while unknown. */
  pages: number;
  isBusy: boolean;
  zoom: number;
  onZoom: (zoom: number) => void;
  children: ReactNode;
}) {
  const { t } = useTranslation("sources");
  const { shown, goTo, onScroll } = position;
  return (
    <>
      <div
        className={cn(pageArea, "relative grid content-start justify-items-center gap-3")}
        ref={box}
        onScroll={onScroll}
        role="region"
        aria-label={t("pageOf", { page: shown, pages })}
        tabIndex={0}
        aria-busy={isBusy}
      >
        {children}
      </div>
      <PageFooter shown={shown} pages={pages} goTo={goTo} zoom={zoom} onZoom={onZoom} />
    </>
  );
}

/** The bar below a column of pages. */
function PageFooter({
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
