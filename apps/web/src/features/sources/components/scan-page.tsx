import type { PageRectangle } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentScope } from "../api/document-text.ts";
import { scanPageQuery } from "../api/picture.ts";
import { useIsNear } from "../state/use-is-near.ts";
import { PageMarks, type Box } from "./page-marks.tsx";

/** One page of a scan: loaded when it comes near the viewport, with the passage highlighted. */
export function ScanPage({
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
  /** Pixels for a unit of the rectangles. */
  scale: number;
  /** Height over width, as long as the page's own isn't known. */
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
