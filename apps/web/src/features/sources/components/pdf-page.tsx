import type { PageRectangle } from "@carrel/contracts";
import { TextLayer, type PageViewport, type PDFDocumentProxy, type RenderTask } from "pdfjs-dist";
import { useEffect, useRef, useState, type CSSProperties, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useIsNear } from "../state/use-is-near.ts";
import { PageMarks, type Box } from "./page-marks.tsx";

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
export function PdfPage({
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
