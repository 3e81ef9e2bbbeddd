import type { PageRectangle } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentScope } from "../api/document-text.ts";
import { scanPageQuery } from "../api/original-file.ts";
import {
  PageColumn,
  PageMarks,
  useInnerWidth,
  useIsNear,
  usePagePosition,
  type Box,
} from "./page-column.tsx";
import { PageSkeleton, TextInstead, scrollToMark } from "./page-parts.tsx";

/**
 * A scan (TIFF), whose pages the server converts because browsers can't show them, with the
 * recognised words of the passage marked. Falls back to its text.
 */
export default function ScanPages({
  slug,
  documentId,
  page,
  pages,
  size,
  passage,
  quotes,
  words,
  number,
  fallback,
}: {
  slug: DocumentScope;
  documentId: string;
  page: number;
  pages: number;
  /** Size of `page`, in the unit of the rectangles; all pages were recognised at the same width. */
  size: { width: number; height: number } | null;
  passage: PageRectangle[];
  quotes: PageRectangle[][];
  /** The words of the passage, for screen readers. */
  words: string;
  number: number | null;
  fallback: ReactNode;
}) {
  const { t } = useTranslation("sources");
  const first = useQuery(scanPageQuery(slug, documentId, page));
  const [zoom, setZoom] = useState(1);
  const [isReady, setIsReady] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const width = useInnerWidth(box, first.isSuccess) * zoom;
  const position = usePagePosition(box, page);
  const { goTo } = position;
  const isLaidOut = width > 0;
  useLayoutEffect(() => {
    if (isLaidOut) goTo(page);
  }, [isLaidOut, page, goTo]);
  useLayoutEffect(() => {
    const mark = isReady ? box.current?.querySelector(".pdf-mark") : null;
    if (mark && box.current) scrollToMark(box.current, mark);
  }, [isReady, passage, quotes.length]);

  if (first.isError) return <TextInstead title={t("pdfFailed")}>{fallback}</TextInstead>;
  if (!first.data) return <PageSkeleton />;
  return (
    <PageColumn
      box={box}
      position={position}
      pages={pages}
      isBusy={!isReady}
      zoom={zoom}
      onZoom={setZoom}
    >
      {isLaidOut &&
        Array.from({ length: pages }, (_, index) => (
          <ScanPage
            key={index}
            slug={slug}
            documentId={documentId}
            page={index + 1}
            width={width}
            scale={size === null ? 0 : width / size.width}
            ratio={size === null ? Math.SQRT2 : size.height / size.width}
            area={box}
            passage={passage}
            quotes={quotes}
            number={number}
            onReady={(ready) => {
              if (ready === page) setIsReady(true);
            }}
          />
        ))}
      {words !== "" && <mark className="sr-only">{words}</mark>}
    </PageColumn>
  );
}

/** One page of a scan: loaded when it comes near the viewport, with the passage highlighted. */
function ScanPage({
  slug,
  documentId,
  page,
  width,
  scale,
  ratio,
  area,
  passage,
  quotes,
  number,
  onReady,
}: {
  slug: DocumentScope;
  documentId: string;
  page: number;
  width: number;
  /** Pixels per unit of the rectangles. */
  scale: number;
  /** Height divided by width, until the page's own is known. */
  ratio: number;
  area: RefObject<HTMLDivElement | null>;
  passage: PageRectangle[];
  quotes: PageRectangle[][];
  number: number | null;
  onReady: (page: number) => void;
}) {
  const { t } = useTranslation("sources");
  const frame = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(frame, area);
  const query = useQuery({ ...scanPageQuery(slug, documentId, page), enabled: isNear });
  const [ownRatio, setOwnRatio] = useState<number | null>(null);
  const height = width * (ownRatio ?? ratio);
  const toBox = ({ x, y, ...rectangle }: PageRectangle): Box => ({
    left: x * scale - 1,
    top: height - (y + rectangle.height) * scale - 1,
    width: rectangle.width * scale + 2,
    height: rectangle.height * scale + 2,
  });
  return (
    <div
      className="pdf-page"
      data-page={page}
      ref={frame}
      style={{ inlineSize: width, blockSize: height }}
      role="group"
      aria-label={t("page", { page })}
    >
      {query.data && (
        <img
          className="block w-full"
          src={query.data}
          alt={t("pageOfScan", { page })}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
            setOwnRatio(naturalHeight / naturalWidth);
            onReady(page);
          }}
        />
      )}
      {query.isError && (
        <p className="p-4 text-sm text-paper-fg">
          {t("pageFailed", { message: query.error.message })}
        </p>
      )}
      {ownRatio !== null && (
        <PageMarks page={page} toBox={toBox} passage={passage} quotes={quotes} number={number} />
      )}
    </div>
  );
}
