import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Play } from "lucide-react";
import { memo, useCallback, useLayoutEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { pageArea } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { formatNumber } from "../../../lib/format.ts";
import type { DocumentScope, Place } from "../api/document-text.ts";
import { transcriptQuery } from "../api/original-file.ts";
import { splitAtPassage, type Range } from "../state/passage.ts";
import {
  partAt,
  partPlayedAt,
  readTranscript,
  stampOf,
  type TranscriptPart,
} from "../state/read-transcript.ts";
import { usePlayer, type Player } from "../state/use-player.ts";
import { EdgeBar, FailedPage, PageSkeleton, pageFooter, scrollToMark } from "./page-parts.tsx";

/** What was said from a certain time on, with the passage marked; its time stamp plays it. */
const TranscriptPartView = memo(function TranscriptPartView({
  part,
  passage,
  quotes,
  isPlaying,
  onPlay,
}: {
  part: TranscriptPart;
  passage: Range;
  quotes: Range[];
  isPlaying: boolean;
  /** null: the recording can't be played. */
  onPlay: ((seconds: number) => void) | null;
}) {
  const { t } = useTranslation("sources");
  const { time, stamp } = part;
  const stampStyles =
    "-ms-2 mb-0.5 inline-flex h-6 items-center gap-1.5 rounded-sm px-2 font-sans text-xs font-semibold text-paper-fg-2 tabular-nums";
  return (
    <div
      className={cn(
        "-mx-3 rounded-sm px-3 pt-1 pb-px",
        isPlaying && "bg-[color-mix(in_srgb,var(--paper-line)_38%,transparent)]",
      )}
      aria-current={isPlaying || undefined}
    >
      {time !== null &&
        (onPlay ? (
          <button
            type="button"
            className={cn(
              stampStyles,
              "hover:bg-[color-mix(in_srgb,var(--paper-line)_60%,transparent)] hover:text-paper-fg max-md:h-9",
            )}
            aria-label={t("playFrom", { time: stamp })}
            onClick={() => onPlay(time)}
          >
            <Play className="size-3 fill-current" aria-hidden="true" />
            <span dir="ltr">{stamp}</span>
          </button>
        ) : (
          <span className={stampStyles} dir="ltr">
            {stamp}
          </span>
        ))}
      {part.paragraphs.map(({ start, text }) => {
        const { before, passage: pieces, after } = splitAtPassage(text, start, passage, quotes);
        return (
          <p key={start} dir="auto">
            {before}
            {pieces.map((piece, index) =>
              piece.quoted ? (
                <mark key={index} className="text-hit">
                  {piece.text}
                </mark>
              ) : (
                <span key={index} className="text-passage">
                  {piece.text}
                </span>
              ),
            )}
            {after}
          </p>
        );
      })}
    </div>
  );
});

const speeds = [1, 1.25, 1.5, 2];

interface RecordingProps {
  slug: DocumentScope;
  place: Place;
  quotes: Range[];
  title: string;
  mime: string;
  number: number | null;
}

/** A recording with its transcript, positioned at the passage. */
export default function RecordingPage(props: RecordingProps) {
  const query = useQuery(transcriptQuery(props.slug, props.place.documentId));
  if (query.isError) return <FailedPage error={query.error} retry={() => void query.refetch()} />;
  return query.data === undefined ? (
    <PageSkeleton />
  ) : (
    <Recording {...props} transcript={query.data} />
  );
}

function Recording({
  slug,
  place,
  quotes,
  title,
  mime,
  number,
  transcript,
}: RecordingProps & { transcript: string }) {
  const { t } = useTranslation("sources");
  const parts = useMemo(() => readTranscript(transcript), [transcript]);
  const isCited = place.end > place.start;
  const cited = isCited ? partAt(parts, quotes[0]?.start ?? place.start) : undefined;
  const player = usePlayer(slug, place.documentId, cited?.time ?? 0);
  const box = useRef<HTMLDivElement>(null);
  const current = partPlayedAt(parts, player.now);

  useLayoutEffect(() => {
    const hit = box.current?.querySelector(".text-hit");
    if (hit && box.current) scrollToMark(box.current, hit);
  }, [parts, place.start, place.end, quotes]);
  useFollow(box, player.isStarted ? current : -1);

  const { seek, speed } = player;
  const onPlay = useCallback((seconds: number) => seek(seconds, true), [seek]);
  const goTo = (index: number): void => {
    const time = parts[index]?.time;
    if (time !== null && time !== undefined) seek(time);
  };
  return (
    <>
      {player.isFailed ? (
        <div className="px-4 pt-4">
          <Notice kind="warn">
            <p>
              <b>{t("recordingFailed")}</b>
            </p>
            <p>{t("recordingFailedHelp")}</p>
          </Notice>
        </div>
      ) : (
        <RecordingPlayer player={player} title={title} isVideo={mime.startsWith("video/")} />
      )}
      <div className={pageArea} ref={box} role="region" aria-label={t("transcript")} tabIndex={0}>
        <article className="paper paper-document" dir="auto">
          {parts.map((part, index) => (
            <TranscriptPartView
              key={part.start}
              part={part}
              passage={place}
              quotes={quotes}
              isPlaying={player.isStarted && index === current}
              onPlay={player.isFailed ? null : onPlay}
            />
          ))}
          <EdgeBar
            of={`${place.start} ${quotes.map((quote) => quote.start).join(" ")}`}
            number={number}
          />
        </article>
      </div>
      {!player.isFailed && parts.some(({ time }) => time !== null) && (
        <footer className={pageFooter}>
          <IconButton
            label={t("previousPart")}
            disabled={current <= 0}
            onClick={() => goTo(current - 1)}
          >
            <ChevronLeft className="rtl:-scale-x-100" />
          </IconButton>
          <span className="tabular-nums" dir="ltr">
            {stampOf(player.now)}
            {player.duration !== null && ` / ${stampOf(player.duration)}`}
          </span>
          <IconButton
            label={t("nextPart")}
            disabled={current >= parts.length - 1}
            onClick={() => goTo(current + 1)}
          >
            <ChevronRight className="rtl:-scale-x-100" />
          </IconButton>
          <span className="min-w-0 flex-1" />
          <Button
            className="tabular-nums"
            variant="quiet"
            size="sm"
            aria-label={t("speed", { speed: formatNumber(speed, 2) })}
            onClick={() => player.setSpeed(speeds[(speeds.indexOf(speed) + 1) % speeds.length]!)}
          >
            {formatNumber(speed, 2)}×
          </Button>
        </footer>
      )}
    </>
  );
}

/** Scrolls to the part being played, unless the reader has scrolled away from the previous one. */
function useFollow(box: { current: HTMLElement | null }, current: number): void {
  const before = useRef(-1);
  useLayoutEffect(() => {
    const area = box.current;
    const parts = area?.querySelectorAll<HTMLElement>("article > div");
    const [last, next] = [parts?.[before.current], parts?.[current]];
    before.current = current;
    if (!area || !last || !next || last === next) return;
    const view = area.getBoundingClientRect();
    const { top, bottom } = last.getBoundingClientRect();
    if (bottom > view.top && top < view.bottom) next.scrollIntoView({ block: "nearest" });
  }, [box, current]);
}

/** The player of a recording, with the browser's controls. */
function RecordingPlayer({
  player,
  title,
  isVideo,
}: {
  player: Player;
  title: string;
  isVideo: boolean;
}) {
  const { t } = useTranslation("sources");
  const { attach, address, hasPicture, on } = player;
  const common = {
    src: address,
    controls: true,
    controlsList: "nodownload", // the panel downloads it under its own name
    preload: "metadata",
    "aria-label": t("player", { title }),
    ...on,
  } as const;
  return (
    <div className="flex-none border-b border-subtle px-4 py-3 max-md:px-2">
      {isVideo ? (
        <video
          {...common}
          ref={attach}
          className={cn(
            "block w-full rounded-md",
            // For sound in a video container, only controls are shown.
            hasPicture ? "max-h-[38dvh] bg-[#000]" : "h-13",
          )}
          playsInline
        />
      ) : (
        <audio
          {...common}
          ref={attach}
          className="block h-11 w-full [&::-webkit-media-controls-enclosure]:rounded-md [&::-webkit-media-controls-enclosure]:bg-raised"
        />
      )}
    </div>
  );
}
