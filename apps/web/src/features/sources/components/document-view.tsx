import type { getDocumentText, Out, PageRectangle } from "@carrel/contracts";
import { lazy, Suspense, useMemo } from "react";
import type { DocumentScope, Place } from "../api/document-text.ts";
import type { Range } from "../state/range.ts";
import type { Passage } from "../state/passage.ts";
import { viewerOf } from "../state/viewer-of.ts";
import { ConvertedPage } from "./converted-page.tsx";
import { OffPageText, textsOffPage } from "./off-page-text.tsx";
import { PageSkeleton } from "./page-skeleton.tsx";
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
