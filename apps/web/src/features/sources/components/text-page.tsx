import { pageArea } from "../../../components/ui/side-panel.ts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { textQuery, type Place, type DocumentScope } from "../api/document-text.ts";
import { splitAtPassage } from "../state/split-at-passage.ts";
import type { Range } from "../state/range.ts";
import { EdgeBar } from "./edge-bar.tsx";
import { FailedPage } from "./failed-page.tsx";
import { scrollToMark } from "./scroll-to-mark.ts";

/**
 * A document as plain text around a passage; scrolling to either end loads more. Markup is not
 * interpreted.
 */
export function TextPage({
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
