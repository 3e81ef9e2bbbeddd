import type { TranscriptSegment } from "@carrel/providers";
import { cleanText } from "./decode-text.ts";
import { parseText } from "./parse-text.ts";
import { parseTranscript } from "./parse-transcript.ts";
import type { ParsedText } from "./parsed-document.ts";

const time = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?`;
/** SubRip and WebVTT: `00:01:02,500 --> 00:01:05,000`. */
const cue = new RegExp(String.raw`^\s*${time}\s*-->\s*${time}`);
/** SubViewer: `00:01:02.50,00:01:05.00`. */
const subViewer = new RegExp(String.raw`^\s*${time},${time}\s*$`);
/** MicroDVD, in frames: `{100}{150}Words`. */
const microDvd = /^\{(\d{1,9})\}\{(\d{1,9})\}(.*)$/;
const usualFrameRate = 23.976;

const seconds = ([hours = "0", minutes = "0", whole = "0", part = "0"]: (
  | string
  | undefined
)[]): number => Number(hours) * 3600 + Number(minutes) * 60 + Number(whole) + Number(`0.${part}`);

/** The words of a line; WebVTT names the speaker in a tag. */
const plain = (line: string): string =>
  line
    .replace(/<v(?:\.[^\s<>]{1,50})?\s+([^<>]{1,100})>/g, "$1: ")
    .replace(/<[^<>]{0,100}>|\{\\[^{}]{0,100}\}/g, "")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();

function readFrames(lines: string[]): TranscriptSegment[] {
  let rate = usualFrameRate;
  return lines.flatMap((line) => {
    const [, from, to, words = ""] = microDvd.exec(line) ?? [];
    if (from === undefined) return [];
    // The first line may state the frame rate instead.
    if (Number(from) <= 1 && /^\d{2}(?:\.\d{1,3})?$/.test(words.trim())) {
      rate = Number(words);
      return [];
    }
    const text = plain(words.replace(/\{[^{}]{1,50}\}/g, "").replaceAll("|", " "));
    return [{ start: Number(from) / rate, end: Number(to) / rate, text }];
  });
}

function readTimes(lines: string[]): TranscriptSegment[] {
  const segments: TranscriptSegment[] = [];
  let words: string[] | null = null;
  const end = (): void => {
    const last = segments.at(-1);
    if (last && words) last.text = words.join(" ");
    words = null;
  };
  for (const line of lines) {
    const times = cue.exec(line) ?? subViewer.exec(line);
    if (times) {
      end();
      words = [];
      segments.push({
        start: seconds(times.slice(1, 5)),
        end: seconds(times.slice(5, 9)),
        text: "",
      });
    } else if (line.trim() === "") end();
    else words?.push(plain(line.replaceAll("[br]", " ")));
  }
  end();
  return segments;
}

/** Subtitles as a transcript: what is said, with the time about every minute. */
export function parseSubtitles(source: string): ParsedText {
  const text = cleanText(source);
  const lines = text.split("\n");
  const segments = lines.some((line) => microDvd.test(line)) ? readFrames(lines) : readTimes(lines);
  const said = segments.filter((segment) => segment.text !== "");
  return said.length === 0 ? parseText(text) : parseTranscript({ text, segments: said });
}
