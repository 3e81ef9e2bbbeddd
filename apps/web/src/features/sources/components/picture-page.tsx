import type { PageRectangle } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { pageArea } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import type { DocumentScope } from "../api/document-text.ts";
import { pictureQuery } from "../api/original-file.ts";
import { PageMarks, useInnerWidth, type Box } from "./page-column.tsx";
import {
  PageSkeleton,
  TextInstead,
  ZoomControls,
  pageFooter,
  scrollToMark,
} from "./page-parts.tsx";

/**
 * A picture with the recognised words of the passage marked on it. Falls back to its text for
 * formats that browsers can't show.
 */
export default function PicturePage({
  slug,
  documentId,
  mime,
  title,
  size,
  passage,
  quotes,
  words,
  number,
  fallback,
}: {
  slug: DocumentScope;
  documentId: string;
  mime: string;
  title: string;
  /** In the unit of the rectangles. */
  size: { width: number; height: number } | null;
  passage: PageRectangle[];
  quotes: PageRectangle[][];
  /** The words of the passage, for screen readers. */
  words: string;
  number: number | null;
  fallback: ReactNode;
}) {
  const { t } = useTranslation("sources");
  const query = useQuery(pictureQuery(slug, documentId, mime));
  const [failed, setFailed] = useState(false);
  const [loaded, setLoaded] = useState(false);
  const [zoom, setZoom] = useState(1);
  const box = useRef<HTMLDivElement>(null);
  const paper = useRef<HTMLDivElement>(null);
  const shownWidth = useInnerWidth(box, query.isSuccess && !failed) * zoom;
  const scale = size && shownWidth > 0 ? shownWidth / size.width : null;
  const toBox = ({ x, y, width, height }: PageRectangle): Box => ({
    left: x * scale! - 1,
    top: (size!.height - y - height) * scale! - 1,
    width: width * scale! + 2,
    height: height * scale! + 2,
  });
  const isReady = loaded && scale !== null;
  useLayoutEffect(() => {
    const mark = isReady ? paper.current?.querySelector(".pdf-mark") : null;
    if (mark && box.current) scrollToMark(box.current, mark);
  }, [isReady, passage, quotes.length]);

  if (query.isError || failed) return <TextInstead title={t("pdfFailed")}>{fallback}</TextInstead>;
  if (!query.data) return <PageSkeleton />;
  return (
    <>
      <div
        className={cn(pageArea, "grid content-start justify-items-center")}
        ref={box}
        role="region"
        aria-label={t("picture")}
        tabIndex={0}
        aria-busy={!loaded}
      >
        <div className="pdf-page" ref={paper} style={{ inlineSize: shownWidth }}>
          <img
            className="block w-full"
            src={query.data}
            alt={t("pictureOf", { title })}
            onLoad={() => setLoaded(true)}
            onError={() => setFailed(true)}
          />
          {isReady && (
            <PageMarks page={1} toBox={toBox} passage={passage} quotes={quotes} number={number} />
          )}
        </div>
        {words !== "" && <mark className="sr-only">{words}</mark>}
      </div>
      <footer className={pageFooter}>
        <span className="min-w-0 flex-1" />
        <ZoomControls zoom={zoom} onZoom={setZoom} />
      </footer>
    </>
  );
}
