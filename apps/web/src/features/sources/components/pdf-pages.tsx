import type { PageRectangle } from "@carrel/contracts";
import { errorMessage } from "../../../lib/error-message.ts";
import type { PDFDocumentLoadingTask, PDFDocumentProxy } from "pdfjs-dist";
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentScope } from "../api/document-text.ts";
import { useInnerWidth } from "../state/use-inner-width.ts";
import { usePagePosition } from "../state/use-page-position.ts";
import { openPdf } from "../state/open-pdf.ts";
import { PageColumn } from "./page-column.tsx";
import { PdfPage } from "./pdf-page.tsx";
import { TextInstead } from "./text-instead.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";

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
  const box = useRef<HTMLDivElement>(null);
  const position = usePagePosition(box, page);
  const { goTo } = position;
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
  const ready = pdf !== null && width > 0;
  const first = quotes[0]?.[0] ?? passage[0];
  const [firstPage, firstTop] = [first?.page ?? null, first ? first.y + first.height : 0];
  useLayoutEffect(() => {
    if (!ready) return;
    // A page's real height is known once it is rendered; assuming A4 or Letter is enough to bring
    // the passage into view.
    goTo(page, firstPage === page ? Math.max(0, 1 - firstTop / 820) : 0);
  }, [ready, page, firstPage, firstTop, goTo]); // scrolling reports the page to onScroll

  if (failed) return <TextInstead title={t("pdfFailed")}>{fallback}</TextInstead>;
  const pages = pdf?.numPages ?? 0;
  return (
    <PageColumn
      box={box}
      position={position}
      pages={pages}
      isBusy={!ready}
      zoom={zoom}
      onZoom={setZoom}
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
    </PageColumn>
  );
}
