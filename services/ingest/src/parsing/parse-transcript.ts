import type { Transcript, TranscriptSegment } from "@carrel/providers";
import type { ParsedText } from "./parsed-document.ts";
import { TextBuilder } from "./text-builder.ts";

/** Seconds of speech under one heading; the sentence that is being spoken then is finished. */
const sectionSeconds = 60;
/** An unfinished sentence waits no longer than this for its end. */
const longestSection = 90;
/** Silence, in seconds, after which another section or paragraph begins. */
const longSilence = 10;
const pause = 2;
/** Characters after which a paragraph ends with its sentence. */
const longParagraph = 400;

const endsSentence = (text: string): boolean => /[.!?…。！？]["'”’»)\]]*$/u.test(text);
const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}。、！？]$/u;

const two = (n: number): string => String(n).padStart(2, "0");
/** A place in a recording as hours, minutes and seconds: `01:02:05`. */
export const clock = (seconds: number): string =>
  `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(Math.floor(seconds) % 60)}`;

interface Section {
  start: number;
  paragraphs: string[];
}

function startsSection(
  section: Section,
  last: TranscriptSegment,
  next: TranscriptSegment,
): boolean {
  if (next.start - last.end >= longSilence) return true;
  const seconds = next.start - section.start;
  return (
    seconds >= sectionSeconds &&
    (endsSentence(last.text) || next.start - last.end >= pause || seconds >= longestSection)
  );
}

function divide(segments: readonly TranscriptSegment[]): Section[] {
  const sections: Section[] = [];
  let last: TranscriptSegment | null = null;
  for (const segment of segments) {
    const next = { ...segment, text: segment.text.replace(/\s+/g, " ").trim() };
    if (next.text === "") continue;
    const section = sections.at(-1);
    const paragraph = section?.paragraphs.at(-1);
    if (!section || !last || paragraph === undefined || startsSection(section, last, next))
      sections.push({ start: next.start, paragraphs: [next.text] });
    else if (
      next.start - last.end >= pause ||
      (paragraph.length >= longParagraph && endsSentence(paragraph))
    )
      section.paragraphs.push(next.text);
    else
      section.paragraphs[section.paragraphs.length - 1] =
        paragraph + (withoutSpaces.test(paragraph) ? "" : " ") + next.text;
    last = next;
  }
  return sections;
}

/**
 * A transcript as a text with a time stamp as heading about every minute, so that a citation names
 * the time. Without segments there are no headings.
 */
export function parseTranscript({ text, segments }: Transcript): ParsedText {
  const builder = new TextBuilder({ code: "file-kind.recording" });
  const sections = divide(segments);
  if (sections.length === 0) builder.addParagraph(text);
  for (const section of sections) {
    builder.addHeading(clock(section.start), 1);
    for (const paragraph of section.paragraphs) builder.addParagraph(paragraph);
  }
  return builder.build();
}
