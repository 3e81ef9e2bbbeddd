import type { ReactNode, RefObject } from "react";
import { useTranslation } from "react-i18next";
import { pageArea } from "../../../components/ui/side-panel.ts";
import { cn } from "../../../lib/cn.ts";
import type { usePagePosition } from "../state/use-page-position.ts";
import { PageFooter } from "./page-footer.tsx";

/** The pages of a document one below the other, and the bar that turns and zooms them. */
export function PageColumn({
  box,
  position,
  pages,
  isBusy,
  zoom,
  onZoom,
  children,
}: {
  /** Scrolls. */
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
