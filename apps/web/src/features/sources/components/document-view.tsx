import type { Out, PageRectangle, getDocumentText } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Suspense, lazy, useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/ui/notice.tsx";
import { convertedQuery } from "../api/converted-document.ts";
import type { DocumentScope, Place } from "../api/document-text.ts";
import type { Passage } from "../state/passage.ts";
import type { Range } from "../state/range.ts";
import { viewerOf } from "../state/viewer-of.ts";
import type { Converted } from "../worker/conversion.ts";
import { PageSkeleton } from "./page-skeleton.tsx";
import { TextInstead } from "./text-instead.tsx";
import { TextPage } from "./text-page.tsx";

const PdfPages = lazy(() => import("./pdf-pages.tsx"));
const PicturePage = lazy(() => import("./picture-page.tsx"));
const ScanPages = lazy(() => import("./scan-pages.tsx"));
const RecordingPage = lazy(() => import("./recording-page.tsx"));
const WorkbookPage = lazy(() => import("./workbook-page.tsx"));
const DocumentPage = lazy(() => import("./document-page.tsx"));

/** A document in the viewer for its format, at a passage. */
export function DocumentView({
  slug,
  place,
  data,
  quotes,
  places,
  page,
  number,
}: {
  slug: DocumentScope;
  place: Place;
  data: Out<typeof getDocumentText>;
  quotes: Range[];
  /** Where the quotes are on the pages of a paged format. */
  places: { rectangles: PageRectangle[] }[];
  page: number;
  number: number | null;
}) {
  const { documentId, start, end } = place;
  const passage = useMemo<Passage>(
    () => ({
      text: data.text.slice(start - data.start, end - data.start),
      quotes: quotes.map((quote) => ({ start: quote.start - start, end: quote.end - start })),
      position: start / Math.max(1, data.length),
    }),
    [data, quotes, start, end],
  );
  const text = (
    <TextPage
      key={`${documentId}-${start}`}
      slug={slug}
      place={place}
      quotes={quotes}
      number={number}
    />
  );
  const viewer = viewerOf(data);
  if (viewer === "text") return text;
  return (
    <Suspense fallback={<PageSkeleton />}>
      {viewer === "pdf" ? (
        <OffPageText texts={textsOffPage(passage, data.rectangles, places)}>
          <PdfPages
            slug={slug}
            documentId={documentId}
            page={page}
            passage={data.rectangles}
            quotes={places.map((each) => each.rectangles)}
            number={number}
            fallback={text}
          />
        </OffPageText>
      ) : viewer === "picture" ? (
        <PicturePage
          slug={slug}
          documentId={documentId}
          mime={data.mime}
          title={data.title}
          size={data.pageSize}
          passage={data.rectangles}
          quotes={places.map((each) => each.rectangles)}
          words={passage.text}
          number={number}
          fallback={text}
        />
      ) : viewer === "recording" ? (
        <RecordingPage
          slug={slug}
          place={place}
          quotes={quotes}
          title={data.title}
          mime={data.mime}
          number={number}
        />
      ) : viewer === "scan" ? (
        <ScanPages
          // Another passage may be on another page, which is loaded first.
          key={`${documentId}-${page}`}
          slug={slug}
          documentId={documentId}
          page={page}
          pages={data.pages ?? 1}
          size={data.pageSize}
          passage={data.rectangles}
          quotes={places.map((each) => each.rectangles)}
          words={passage.text}
          number={number}
          fallback={text}
        />
      ) : (
        <ConvertedPage slug={slug} documentId={documentId} file={data} fallback={text}>
          {(converted) =>
            converted.kind === "workbook" ? (
              <WorkbookPage
                sheets={converted.sheets}
                title={data.title}
                passage={passage}
                number={number}
                fallback={text}
              />
            ) : (
              <DocumentPage
                converted={converted}
                passage={passage}
                number={number}
                fallback={text}
              />
            )
          }
        </ConvertedPage>
      )}
    </Suspense>
  );
}

/** An original, converted to be shown; falls back to its text if it can't be. */
function ConvertedPage({
  slug,
  documentId,
  file,
  fallback,
  children,
}: {
  slug: DocumentScope;
  documentId: string;
  file: { mime: string; encoding?: string | undefined };
  fallback: ReactNode;
  children: (converted: Converted) => ReactNode;
}) {
  const { t } = useTranslation("sources");
  const query = useQuery(convertedQuery(slug, documentId, file));
  if (query.isError || query.data === null)
    return <TextInstead title={t("pdfFailed")}>{fallback}</TextInstead>;
  return query.data ? children(query.data) : <PageSkeleton />;
}

/**
 * What of a passage is drawn nowhere on the pages, such as text of an attached file: its quotes, or
 * all of it if nothing is quoted.
 */
export function textsOffPage(
  { text, quotes }: Passage,
  rectangles: readonly PageRectangle[],
  places: readonly { rectangles: readonly PageRectangle[] }[],
): string[] {
  // Places that couldn't be loaded say nothing about their quotes.
  const isPlaced = quotes.length > 0 && places.length === quotes.length;
  const texts = isPlaced
    ? quotes
        .filter((_, index) => places[index]!.rectangles.length === 0)
        .map(({ start, end }) => text.slice(start, end))
    : rectangles.length === 0
      ? [text]
      : [];
  return texts.map((each) => each.trim()).filter((each) => each !== "");
}

/** Shows text above the pages that have no place to mark it. */
function OffPageText({ texts, children }: { texts: string[]; children: ReactNode }) {
  const { t } = useTranslation("sources");
  return (
    <>
      {texts.length > 0 && (
        <div className="px-4 pt-4">
          <Notice>
            <p>
              <b>{t("offPage")}</b>
            </p>
            <p>{t("offPageHelp")}</p>
            {texts.map((text, index) => (
              <blockquote
                className="mt-1.5 line-clamp-6 border-s-2 border-accent-line ps-2.5 whitespace-pre-line text-fg-1"
                key={index}
                dir="auto"
              >
                {text}
              </blockquote>
            ))}
          </Notice>
        </div>
      )}
      {children}
    </>
  );
}
