import type { Out, PageRectangle, getDocumentText } from "@carrel/contracts";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useLayoutEffect, useMemo, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/ui/notice.tsx";
import { pageArea } from "../../../components/ui/styles.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { textQuery, type DocumentScope, type Place } from "../api/document-text.ts";
import { convertedQuery } from "../api/original-file.ts";
import { splitAtPassage, type Passage, type Range } from "../state/passage.ts";
import type { Converted } from "../worker/conversion.ts";
import { EdgeBar, FailedPage, PageSkeleton, TextInstead, scrollToMark } from "./page-parts.tsx";

/** How to show the original of a document; `text`: its extracted text. */
type Viewer = "pdf" | "converted" | "picture" | "scan" | "recording" | "text";

const viewers: Readonly<Record<string, Viewer>> = {
  "application/pdf": "pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "converted",
  "text/markdown": "converted",
  "text/html": "converted",
  "application/xhtml+xml": "converted",
  "application/epub+zip": "converted",
  "message/rfc822": "converted",
  "application/mbox": "converted",
  "image/png": "picture",
  "image/jpeg": "picture",
  "image/webp": "picture",
  "image/gif": "picture",
  "image/bmp": "picture",
  "image/tiff": "scan",
  "text/csv": "converted",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "converted",
  "application/vnd.ms-excel": "converted",
  "application/vnd.oasis.opendocument.spreadsheet": "converted",
};

export const viewerOf = ({
  mime,
  originalUrl,
}: {
  mime: string;
  originalUrl: string | null;
}): Viewer => {
  if (originalUrl === null) return "text";
  if (/^(audio|video)\//.test(mime)) return "recording";
  return viewers[mime.split(";")[0]!.trim()] ?? "text";
};

const PdfPages = lazyPart(() => import("./pdf-pages.tsx"));
const PicturePage = lazyPart(() => import("./picture-page.tsx"));
const ScanPages = lazyPart(() => import("./scan-pages.tsx"));
const RecordingPage = lazyPart(() => import("./recording-page.tsx"));
const WorkbookPage = lazyPart(() => import("./workbook-page.tsx"));
const DocumentPage = lazyPart(() => import("./document-page.tsx"));

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
  /** Positions of the quotes on the pages of a paged format. */
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

/** An original, converted for display; falls back to its text if it can't be. */
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
 * Parts of a passage that aren't drawn on the pages, such as text of an attached file: its quotes,
 * or all of it if nothing is quoted.
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

/** Shows text above pages on which it can't be marked. */
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

/**
 * A document as plain text around a passage; scrolling to either end loads more. Markup is not
 * interpreted.
 */
function TextPage({
  slug,
  place,
  quotes,
  number,
}: {
  slug: DocumentScope;
  place: Place;
  /** Ranges of the passage that the answer quotes; without any, all of it is highlighted. */
  quotes: Range[];
  number: number | null;
}) {
  const { t } = useTranslation("sources");
  const query = useInfiniteQuery(textQuery(slug, place));
  const box = useRef<HTMLDivElement>(null);
  const hit = useRef<HTMLElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const bottom = useRef<HTMLDivElement>(null);
  const ready = query.isSuccess;
  useLayoutEffect(() => {
    const area = box.current;
    if (!area || !ready || !hit.current) return;
    scrollToMark(area, hit.current);
  }, [ready, place.start, place.documentId, quotes]);

  // Text loaded above must not move what is being read.
  const before = useRef<{ start: number; height: number } | null>(null);
  const pages = query.data?.pages;
  const start = pages?.[0]?.start ?? 0;
  useLayoutEffect(() => {
    const area = box.current;
    if (!area) return;
    if (before.current && start < before.current.start)
      area.scrollTop += area.scrollHeight - before.current.height;
    before.current = { start, height: area.scrollHeight };
  }, [start, pages]);

  const { hasNextPage, hasPreviousPage, isFetching, fetchNextPage, fetchPreviousPage } = query;
  useEffect(() => {
    if (!box.current || !ready || isFetching) return;
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (!entry.isIntersecting) continue;
          if (entry.target === bottom.current && hasNextPage) void fetchNextPage();
          if (entry.target === top.current && hasPreviousPage) void fetchPreviousPage();
        }
      },
      { root: box.current, rootMargin: "400px" },
    );
    for (const each of [top.current, bottom.current]) if (each) observer.observe(each);
    return () => observer.disconnect();
  }, [ready, isFetching, hasNextPage, hasPreviousPage, fetchNextPage, fetchPreviousPage]);

  if (query.isError) return <FailedPage error={query.error} retry={() => void query.refetch()} />;
  const text = pages?.map((page) => page.text).join("") ?? "";
  const parts = splitAtPassage(text, start, place, quotes);
  const firstQuoted = parts.passage.findIndex((piece) => piece.quoted);
  return (
    <div className={pageArea} ref={box} role="region" aria-label={t("text")} tabIndex={0}>
      <article className="paper paper-text" dir="auto">
        <div ref={top} />
        {parts.before}
        {parts.passage.map((piece, index) =>
          piece.quoted ? (
            <mark key={index} ref={index === firstQuoted ? hit : undefined} className="text-hit">
              {piece.text}
            </mark>
          ) : (
            <span key={index} className="text-passage">
              {piece.text}
            </span>
          ),
        )}
        {parts.after}
        <div ref={bottom} />
        <EdgeBar of={text} number={number} />
      </article>
    </div>
  );
}
