import { Play } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "../../../lib/cn.ts";
import type { Range } from "../state/range.ts";
import type { TranscriptPart } from "../state/read-transcript.ts";
import { splitAtPassage } from "../state/split-at-passage.ts";

/** What was said from a time on, with the passage marked; its time stamp plays it. */
export const TranscriptPartView = memo(function TranscriptPartView({
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
