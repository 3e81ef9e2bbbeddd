import type { PageRectangle } from "@carrel/contracts";
import {
  GlobalWorkerOptions,
  PDFDataRangeTransport,
  TextLayer,
  getDocument,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  type PageViewport,
  type RenderTask,
} from "pdfjs-dist";
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { errorMessage } from "../../../lib/fault.ts";
import type { DocumentScope } from "../api/document-text.ts";
import { OriginalFile, rangeBytes } from "../api/original-file.ts";
import {
  PageColumn,
  PageMarks,
  useInnerWidth,
  useIsNear,
  usePagePosition,
  type Box,
} from "./page-column.tsx";
import { TextInstead } from "./page-parts.tsx";

GlobalWorkerOptions.workerSrc = workerUrl;

const common = {
  cMapUrl: "/pdfjs/cmaps/",
  cMapPacked: true,
  standardFontDataUrl: "/pdfjs/standard_fonts/",
  // On a system without Helvetica, letters would overlap, because it would use a wider font.
  useSystemFonts: false,
  wasmUrl: "/pdfjs/wasm/",
  enableXfa: false,
};

/**
 * Provides the ranges that pdf.js requests. Gives up after a range has failed three times, because
 * pdf.js itself would wait forever.
 */
class Ranges extends PDFDataRangeTransport {
  constructor(
    private readonly file: OriginalFile,
    length: number,
    first: Uint8Array<ArrayBuffer>,
    private readonly signal: AbortSignal,
    private readonly onFailure: (error: unknown) => void,
  ) {
    super(length, first);
  }
  override requestDataRange(begin: number, end: number): void {
    void this.deliver(begin, end, 0);
  }
  private async deliver(begin: number, end: number, attempt: number): Promise<void> {
    try {
      this.onDataRange(begin, (await this.file.read(begin, end)).bytes);
    } catch (error) {
      if (this.signal.aborted) return;
      if (attempt >= 2) return this.onFailure(error);
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt));
      await this.deliver(begin, end, attempt + 1);
    }
  }
}

/**
 * Opens the original: a small file in one go, of a large one only the parts that the visible pages
 * need. `onFailure` reports parts that fail to load later.
 */
async function openPdf(
  slug: DocumentScope,
  documentId: string,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<PDFDocumentLoadingTask> {
  const file = new OriginalFile(slug, documentId, signal);
  const first = await file.read(0, rangeBytes);
  if (first.whole) return getDocument({ ...common, data: first.bytes });
  return getDocument({
    ...common,
    range: new Ranges(file, first.total, first.bytes, signal, onFailure),
    rangeChunkSize: rangeBytes,
    disableStream: true,
    disableAutoFetch: true,
  });
}

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

/** Converts a rectangle in page points, from the lower left, to pixels of the rendered page. */
function boxOf(viewport: PageViewport, { x, y, width, height }: PageRectangle): Box {
  const [x1, y1] = viewport.convertToViewportPoint(x, y) as [number, number];
  const [x2, y2] = viewport.convertToViewportPoint(x + width, y + height) as [number, number];
  return {
    left: Math.min(x1, x2) - 1,
    top: Math.min(y1, y2) - 1,
    width: Math.abs(x2 - x1) + 2,
    height: Math.abs(y2 - y1) + 2,
  };
}

/**
 * One page: rendered when it comes near the viewport, with the passage highlighted and an invisible
 * text layer for selection and screen readers.
 */
function PdfPage({
  pdf,
  page,
  width,
  ratio,
  root,
  passage,
  quotes,
  number,
}: {
  pdf: PDFDocumentProxy;
  page: number;
  width: number;
  ratio: number;
  root: RefObject<HTMLDivElement | null>;
  passage: PageRectangle[];
  quotes: PageRectangle[][];
  number: number | null;
}) {
  const { t } = useTranslation("sources");
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const near = useIsNear(frame, root);
  const [viewport, setViewport] = useState<PageViewport | null>(null);
  useEffect(() => {
    if (!near) return;
    let task: RenderTask | null = null;
    let layer: TextLayer | null = null;
    let live = true;
    void (async () => {
      const proxy = await pdf.getPage(page);
      const scale = width / proxy.getViewport({ scale: 1 }).width;
      const sharp = Math.min(window.devicePixelRatio || 1, 2);
      const drawn = proxy.getViewport({ scale: scale * sharp });
      if (!live || !canvas.current) return;
      canvas.current.width = Math.floor(drawn.width);
      canvas.current.height = Math.floor(drawn.height);
      setViewport(proxy.getViewport({ scale }));
      task = proxy.render({ canvas: canvas.current, viewport: drawn });
      if (text.current) {
        text.current.replaceChildren();
        layer = new TextLayer({
          textContentSource: proxy.streamTextContent(),
          container: text.current,
          viewport: proxy.getViewport({ scale }),
        });
      }
      await Promise.all([task.promise, layer?.render()]);
    })().catch(() => undefined); // rendering is cancelled when the page scrolls out of view
    return () => {
      live = false;
      task?.cancel();
      layer?.cancel();
    };
  }, [near, pdf, page, width]);
  return (
    <div
      className="pdf-page"
      data-page={page}
      ref={frame}
      style={{ inlineSize: width, blockSize: viewport ? viewport.height : width * ratio }}
      role="group"
      aria-label={t("page", { page })}
    >
      {near && <canvas ref={canvas} aria-hidden="true" />}
      {viewport && (
        <PageMarks
          page={page}
          toBox={(rectangle) => boxOf(viewport, rectangle)}
          passage={passage}
          quotes={quotes}
          number={number}
        />
      )}
      {near && (
        <div
          className="pdf-text"
          ref={text}
          style={{ "--total-scale-factor": viewport?.scale ?? 1 } as CSSProperties}
        />
      )}
    </div>
  );
}
