import { Minus, Plus } from "lucide-react";
import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { FailedQuery, Notice } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { pageArea } from "../../../components/ui/styles.ts";
import { numberFormat } from "../../../lib/format.ts";

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
        {zoom === 1 ? t("fit") : numberFormat({ style: "percent" }).format(zoom)}
      </Button>
      <IconButton label={t("larger")} disabled={zoom >= 3} onClick={() => onZoom(zoom + 0.25)}>
        <Plus />
      </IconButton>
    </>
  );
}

/**
 * The bar and source number next to the highlighted lines. `of` is the text; when it changes, the
 * lines may have moved.
 */
export function EdgeBar({ of, number }: { of: unknown; number: number | null }) {
  const anchor = useRef<HTMLSpanElement>(null);
  const [bars, setBars] = useState<{ top: number; height: number }[]>([]);
  useLayoutEffect(() => {
    const paper = anchor.current?.parentElement;
    if (!paper) return;
    const measure = (): void => {
      const above = paper.getBoundingClientRect().top;
      const next: { top: number; height: number }[] = [];
      for (const mark of paper.querySelectorAll(".text-hit")) {
        const { top, height } = mark.getBoundingClientRect();
        const last = next.at(-1);
        if (last && top - above <= last.top + last.height)
          last.height = Math.max(last.height, top - above + height - last.top);
        else next.push({ top: top - above, height });
      }
      setBars((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(paper);
    return () => observer.disconnect();
  }, [of]);
  return (
    <span ref={anchor} aria-hidden="true">
      {number !== null &&
        bars.map((bar, index) => (
          <span
            key={index}
            className="edge-bar"
            style={{ insetInlineStart: 27, top: bar.top, height: bar.height }}
          >
            <b>{number}</b>
          </span>
        ))}
    </span>
  );
}

/** Shown instead of a page that couldn't be loaded. */
export function FailedPage({
  title,
  error,
  retry,
}: {
  title?: string;
  error: Error;
  retry: () => void;
}) {
  const { t } = useTranslation("sources");
  return (
    <div className="p-4">
      <FailedQuery
        {...(title !== undefined && { title })}
        retryLabel={t("retry")}
        error={error}
        retry={retry}
      />
    </div>
  );
}

/** A page that is loading. */
export function PageSkeleton() {
  return (
    <div className={pageArea} aria-busy="true">
      <div className="paper grid gap-3">
        {[40, 92, 88, 95, 61].map((width) => (
          <Skeleton className="bg-paper-line" key={width} style={{ inlineSize: `${width}%` }} />
        ))}
      </div>
    </div>
  );
}

/** Explains why the text of a document is shown instead of its pages. */
export function TextInstead({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation("sources");
  return (
    <>
      <div className="px-4 pt-4">
        <Notice kind="warn">
          <p>
            <b>{title}</b>
          </p>
          <p>{t("pdfFailedHelp")}</p>
        </Notice>
      </div>
      {children}
    </>
  );
}

/** Scrolls the first mark to the upper third of its area. */
export function scrollToMark(area: HTMLElement, mark: Element): void {
  area.scrollTop +=
    mark.getBoundingClientRect().top - area.getBoundingClientRect().top - area.clientHeight / 3;
}
