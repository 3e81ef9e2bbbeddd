import { pageArea } from "../../../components/ui/side-panel.ts";
import { cn } from "../../../lib/cn.ts";
import type { PageRectangle } from "@carrel/contracts";
import { errorMessage } from "../../../lib/error-message.ts";
import { ChevronLeft, ChevronRight } from "lucide-react";
import type { PDFDocumentLoadingTask, PDFDocumentProxy } from "pdfjs-dist";
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import type { DocumentScope } from "../api/document-text.ts";
import { useInnerWidth } from "../state/use-inner-width.ts";
import { openPdf } from "../state/open-pdf.ts";
import { PdfPage } from "./pdf-page.tsx";
import { TextInstead } from "./text-instead.tsx";
import { pageFooter, ZoomControls } from "./zoom-controls.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";

const gap = 12;

/**
 * The original PDF, rendered in the browser and opened at the page of the passage. Falls back to
 * its text.
 */
export default function PdfPages({
  slug,
  documentId,
  page,
  passage,
  quotes,
  number,
  fallback,
}: {
  slug: DocumentScope;
  documentId: string;
  page: number;
  passage: PageRectangle[];
  /** The lines of each quote; without any, the whole passage is highlighted. */
  quotes: PageRectangle[][];
  number: number | null;
  fallback: ReactNode;
}) {
  const { t } = useTranslation("sources");
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [ratio, setRatio] = useState(Math.SQRT2);
  const [zoom, setZoom] = useState(1);
  const [shown, setShown] = useState(page);
  const box = useRef<HTMLDivElement>(null);
  const width = useInnerWidth(box, failed === null);
  useEffect(() => {
    const controller = new AbortController();
    const task: { current: PDFDocumentLoadingTask | null } = { current: null };
    const fail = (error: unknown): void => {
      if (!controller.signal.aborted) setFailed(errorMessage(error));
    };
    void (async () => {
      try {
        task.current = await openPdf(slug, documentId, controller.signal, fail);
        const opened = await task.current.promise;
        const viewport = (await opened.getPage(1)).getViewport({ scale: 1 });
        setRatio(viewport.height / viewport.width);
        setPdf(opened);
      } catch (error) {
        fail(error);
      }
    })();
    return () => {
      controller.abort();
      void task.current?.destroy();
    };
  }, [slug, documentId]);
  const goTo = useCallback((wanted: number, within = 0) => {
    const area = box.current;
    const target = area?.querySelector<HTMLElement>(`[data-page="${wanted}"]`);
    if (!area || !target) return;
    area.scrollTop =
      target.offsetTop - gap + Math.max(0, within * target.offsetHeight - area.clientHeight / 3);
  }, []);
  const ready = pdf !== null && width > 0;
  const first = quotes[0]?.[0] ?? passage[0];
  const [firstPage, firstTop] = [first?.page ?? null, first ? first.y + first.height : 0];
  useLayoutEffect(() => {
    if (!ready) return;
    // A page's real height is known once it is rendered; assuming A4 or Letter is enough to bring
    // the passage into view.
    goTo(page, firstPage === page ? Math.max(0, 1 - firstTop / 820) : 0);
  }, [ready, page, firstPage, firstTop, goTo]); // scrolling reports the page to onScroll

  const onScroll = (): void => {
    const area = box.current;
    if (!area) return;
    const middle = area.scrollTop + area.clientHeight / 3;
    let current = 1;
    for (const each of area.querySelectorAll<HTMLElement>("[data-page]"))
      if (each.offsetTop <= middle) current = Number(each.dataset.page);
    setShown(current);
  };
  if (failed) return <TextInstead title={t("pdfFailed")}>{fallback}</TextInstead>;
  const pages = pdf?.numPages ?? 0;
  return (
    <>
      <div
        className={cn(pageArea, "relative grid content-start justify-items-center gap-3")}
        ref={box}
        onScroll={onScroll}
        role="region"
        aria-label={t("pageOf", { page: shown, pages })}
        tabIndex={0}
        aria-busy={!ready}
      >
        {!ready && (
          <div className="paper grid gap-3">
            {[40, 92, 88, 95, 61].map((w) => (
              <Skeleton className="bg-paper-line" key={w} style={{ inlineSize: `${w}%` }} />
            ))}
          </div>
        )}
        {ready &&
          Array.from({ length: pages }, (_, index) => (
            <PdfPage
              key={index}
              pdf={pdf}
              page={index + 1}
              width={width * zoom}
              ratio={ratio}
              root={box}
              passage={passage}
              quotes={quotes}
              number={number}
            />
          ))}
      </div>
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
        <ZoomControls zoom={zoom} onZoom={setZoom} />
      </footer>
    </>
  );
}
