import type { SourceWire } from "@carrel/contracts";
import { useMutation, useQueries, useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp, Download, ExternalLink, X } from "lucide-react";
import {
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { useTranslation } from "react-i18next";
import { FileType } from "../../../components/ui/badge.tsx";
import { IconButton, iconButtonStyles } from "../../../components/ui/button.tsx";
import { linkStyles, pageArea, sidePanel, topbar } from "../../../components/ui/styles.ts";
import { fileTag } from "../../../lib/file-tag.ts";
import { formatDate, formatScore } from "../../../lib/format-source.ts";
import { formatNumber, joinFacts } from "../../../lib/format.ts";
import { addTexts } from "../../../lib/i18n.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import versions from "../../../locales/en/versions.json" with { type: "json" };
import { placeQuery, rangeQuery, type DocumentScope, type Place } from "../api/document-text.ts";
import { saveOriginal } from "../api/original-file.ts";
import { findQuotes } from "../state/find-quote.ts";
import type { Range } from "../state/passage.ts";
import { partAt, readTranscript } from "../state/read-transcript.ts";
import { DocumentReaders } from "./document-readers.tsx";
import { DocumentView, viewerOf } from "./document-view.tsx";
import { FailedPage, PageSkeleton } from "./page-parts.tsx";
import { PassageList } from "./passage-list.tsx";

addTexts("versions", versions);

const DocumentVersions = lazyPart(() => import("./document-versions.tsx"));

const tabStyles =
  "inline-flex h-7 items-center gap-1.5 rounded-sm px-2.5 font-medium whitespace-nowrap text-fg-3 hover:bg-hover hover:text-fg-1 aria-selected:bg-selected aria-selected:text-fg-1";

/** An answer with more quotes from one passage than this counts as quoting all of it. */
const maxQuotes = 12;
const noRanges: Range[] = [];
/** Of a video's address, which the server writes. */
const videoTime = /([?&]t=)\d+s$/;

export type PanelTab = "page" | "passages";

function Tab({
  id,
  shown,
  onChoose,
  children,
}: {
  id: PanelTab | "versions";
  shown: PanelTab | "versions";
  onChoose: (id: PanelTab | "versions") => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      className={tabStyles}
      role="tab"
      id={`tab-${id}`}
      aria-controls={`panel-${id}`}
      aria-selected={id === shown}
      onClick={() => onChoose(id)}
    >
      {children}
    </button>
  );
}

export interface SourcePanelProps {
  slug: DocumentScope;
  /** The answer's sources; empty when a document is opened on its own. */
  sources: SourceWire[];
  index: number;
  /**
   * Text of the answer that cites this source; words that occur verbatim in the passage are
   * highlighted.
   */
  quotes: string[];
  document: Place | null;
  /** Words to mark in the document, instead of quotes. */
  marks?: Range[];
  tab: PanelTab;
  onTab: (tab: PanelTab) => void;
  onIndex: (index: number) => void;
  onClose: () => void;
}

/**
 * The evidence for an answer: the page with the passage highlighted and numbered as in the answer,
 * and the list of passages.
 */
export default function SourcePanel({
  slug,
  sources,
  index,
  quotes,
  document: opened,
  marks = noRanges,
  tab,
  onTab,
  onIndex,
  onClose,
}: SourcePanelProps) {
  const { t } = useTranslation(["sources", "versions"]);
  const panel = useRef<HTMLElement>(null);
  const source = sources[index] ?? null;
  const place: Place = source
    ? { documentId: source.documentId, start: source.start, end: source.end }
    : (opened ?? { documentId: "", start: 0, end: 0 });
  /** The document whose versions are shown instead of its text. */
  const [comparedId, setComparedId] = useState<string | null>(null);
  const query = useQuery(placeQuery(slug, place));
  const viewer = query.data ? viewerOf(query.data) : null;
  const { start, end } = place;
  const ranges = useMemo(
    () =>
      !query.data
        ? noRanges
        : marks.length > 0
          ? marks
          : findQuotes(
              query.data.text.slice(start - query.data.start, end - query.data.start),
              start,
              quotes,
            ).slice(0, maxQuotes),
    [query.data, quotes, marks, start, end],
  );
  const places = useQueries({
    queries:
      viewer === "pdf" || viewer === "picture" || viewer === "scan"
        ? ranges.map((range) => rangeQuery(slug, place.documentId, range))
        : [],
  });
  const quoted =
    ranges.length === 0 || places.every((each) => !each.isPending)
      ? places.flatMap((each) => each.data ?? [])
      : null;
  useEffect(() => {
    const before = globalThis.document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    onClose();
  };
  const title = query.data?.title ?? source?.title ?? "";
  const save = useMutation({
    mutationFn: () => saveOriginal(slug, place.documentId, title),
    meta: { errorToast: (message) => t("downloadFailed", { message }) },
  });
  const page = quoted?.[0]?.page ?? query.data?.page ?? source?.page ?? null;
  const cited = source ? sources.filter((each) => each.documentId === source.documentId).length : 0;
  const lines = query.data?.lines ?? null;
  const isRecording = viewer === "recording";
  const isVideo = videoTime.test(query.data?.sourceUrl ?? "");
  const part =
    (isRecording || isVideo) && query.data && end > start
      ? partAt(readTranscript(query.data.text, query.data.start), ranges[0]?.start ?? start)
      : undefined;
  const facts = joinFacts([
    (isRecording || isVideo) && end > start ? part?.stamp || query.data?.headingPath.at(-1) : null,
    page !== null && viewer !== "picture"
      ? query.data?.pages
        ? t("pageOf", { page, pages: query.data.pages })
        : t("page", { page })
      : query.data?.pages && viewer !== "picture"
        ? t("pages", { count: query.data.pages })
        : null,
    lines === null
      ? null
      : lines.first === lines.last
        ? t("line", { line: formatNumber(lines.first) })
        : t("lines", { first: formatNumber(lines.first), last: formatNumber(lines.last) }),
    source?.score === undefined ? null : t("match", { score: formatScore(source.score) }),
    cited > 1 ? t("cited", { count: cited }) : null,
    query.data?.asOf ? t("versions:asOf", { date: formatDate(Date.parse(query.data.asOf)) }) : null,
  ]);
  const number = source ? index + 1 : null;
  const canCompare = slug !== null && query.data?.asOf !== undefined;
  const shown = canCompare && comparedId === place.documentId ? "versions" : tab;
  const choose = (next: PanelTab | "versions"): void => {
    setComparedId(next === "versions" ? place.documentId : null);
    if (next !== "versions") onTab(next);
  };
  const hasChanged = source !== null && (query.data?.revision ?? 1) > (source.revision ?? 1);
  return (
    <aside
      className={sidePanel}
      data-panel
      aria-label={t("panel")}
      ref={panel}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <header className={topbar}>
        <div className="flex gap-0.5" role="tablist" aria-label={t("panel")}>
          <Tab id="page" shown={shown} onChoose={choose}>
            {t(isRecording ? "tabRecording" : "tabPage")}
          </Tab>
          {sources.length > 0 && (
            <Tab id="passages" shown={shown} onChoose={choose}>
              {t("tabPassages")} <span className="text-fg-3 tabular-nums">{sources.length}</span>
            </Tab>
          )}
          {canCompare && (
            <Tab id="versions" shown={shown} onChoose={choose}>
              {t("versions:tab")}
            </Tab>
          )}
        </div>
        <span className="min-w-0 flex-1" />
        {query.data?.sourceUrl && (
          <a
            className={iconButtonStyles}
            data-slot="icon-button"
            href={
              // What is quoted may be said later than the passage begins.
              part?.time
                ? query.data.sourceUrl.replace(videoTime, `$1${part.time}s`)
                : query.data.sourceUrl
            }
            target="_blank"
            rel="noopener noreferrer"
            aria-label={part?.stamp ? t("openVideo", { time: part.stamp }) : t("openSource")}
            title={part?.stamp ? t("openVideo", { time: part.stamp }) : t("openSource")}
          >
            <ExternalLink />
          </a>
        )}
        {query.data?.originalUrl && (
          <IconButton label={t("download")} onClick={() => save.mutate()}>
            <Download />
          </IconButton>
        )}
        <IconButton label={t("close")} onClick={onClose}>
          <X />
        </IconButton>
      </header>
      {shown === "versions" && slug !== null ? (
        <Suspense fallback={<div className={pageArea} id="panel-versions" aria-busy="true" />}>
          <DocumentVersions
            slug={slug}
            documentId={place.documentId}
            title={title}
            cited={source ? (source.revision ?? 1) : null}
          />
        </Suspense>
      ) : shown === "passages" && sources.length > 0 ? (
        <PassageList
          sources={sources}
          active={index}
          onOpen={(next) => {
            onIndex(next);
            onTab("page");
          }}
        />
      ) : (
        <div id="panel-page" role="tabpanel" aria-labelledby="tab-page" className="contents">
          <div className="flex items-center gap-2.5 border-b border-subtle px-4 py-3">
            <FileType>{fileTag(title, query.data?.mime)}</FileType>
            <div className="min-w-0 flex-1">
              <h2 className="truncate text-sm font-semibold" title={title}>
                {title}
              </h2>
              <p className="truncate text-xs text-fg-3 tabular-nums">
                {facts || (query.data ? t(isRecording ? "transcript" : "wholeText") : t("loading"))}
              </p>
              {query.data?.access && (
                <DocumentReaders access={query.data.access} isInLibrary={slug === null} />
              )}
            </div>
            {sources.length > 1 && (
              <div className="flex items-center">
                <IconButton
                  label={t("previous")}
                  disabled={index === 0}
                  onClick={() => onIndex(index - 1)}
                >
                  <ChevronUp />
                </IconButton>
                <IconButton
                  label={t("next")}
                  disabled={index >= sources.length - 1}
                  onClick={() => onIndex(index + 1)}
                >
                  <ChevronDown />
                </IconButton>
              </div>
            )}
          </div>
          {hasChanged && (
            <p className="border-b border-subtle bg-sunken px-4 py-2 text-xs text-fg-2">
              {t("versions:changed")}{" "}
              {canCompare && (
                <button type="button" className={linkStyles} onClick={() => choose("versions")}>
                  {t("versions:show")}
                </button>
              )}
            </p>
          )}
          {query.isError && (
            <FailedPage
              title={t("failed")}
              error={query.error}
              retry={() => void query.refetch()}
            />
          )}
          {query.data && quoted ? (
            <DocumentView
              key={place.documentId}
              slug={slug}
              place={place}
              data={query.data}
              quotes={ranges}
              places={quoted}
              page={page ?? 1}
              number={number}
            />
          ) : (
            !query.isError && <PageSkeleton />
          )}
        </div>
      )}
    </aside>
  );
}
