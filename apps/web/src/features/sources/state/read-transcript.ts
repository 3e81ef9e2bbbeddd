/** A part of a transcript: what was said from a certain time on. */
export interface TranscriptPart {
  /** Its first character, as an offset in the document. */
  start: number;
  /** In seconds; null for text before the first time stamp. */
  time: number | null;
  /** `00:01:01`; empty without a time. */
  stamp: string;
  paragraphs: { start: number; text: string }[];
}

/** Time stamps, each in its own paragraph, as ingest writes them. */
const stamps = /(?<=^|\n\n)(\d{2,}):([0-5]\d):([0-5]\d)(?=\n\n|$)/g;

function splitParagraphs(text: string, offset: number): TranscriptPart["paragraphs"] {
  const paragraphs: TranscriptPart["paragraphs"] = [];
  for (const { 0: paragraph, index } of text.matchAll(/[^\n]+/g))
    if (paragraph.trim() !== "") paragraphs.push({ start: offset + index, text: paragraph });
  return paragraphs;
}

/** Splits a transcript, which begins at character `offset` of its document, at its time stamps. */
export function readTranscript(text: string, offset = 0): TranscriptPart[] {
  const parts: TranscriptPart[] = [];
  const found = [...text.matchAll(stamps)];
  const first = splitParagraphs(text.slice(0, found[0]?.index ?? text.length), offset);
  if (first.length > 0) parts.push({ start: offset, time: null, stamp: "", paragraphs: first });
  for (const [n, match] of found.entries()) {
    const begin = match.index + match[0].length;
    const [stamp, hours, minutes, seconds] = match;
    parts.push({
      start: offset + match.index,
      time: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds),
      stamp,
      paragraphs: splitParagraphs(
        text.slice(begin, found[n + 1]?.index ?? text.length),
        offset + begin,
      ),
    });
  }
  return parts;
}

/** The part that contains this character of the document. */
export const partAt = (
  parts: readonly TranscriptPart[],
  position: number,
): TranscriptPart | undefined => parts.findLast(({ start }) => start <= position);

/** The index of the part played at this time, or -1. */
export const partPlayedAt = (parts: readonly TranscriptPart[], seconds: number): number =>
  parts.findLastIndex(({ time }) => time !== null && time <= seconds);

/** A time in a recording, formatted like its time stamps. */
export function stampOf(seconds: number): string {
  const two = (n: number): string => String(Math.floor(n)).padStart(2, "0");
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}
