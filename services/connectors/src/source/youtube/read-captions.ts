import { CarrelError } from "@carrel/contracts";
import { z } from "zod";

const captions = z.object({
  events: z
    .array(
      z.object({
        tStartMs: z.number().optional(),
        dDurationMs: z.number().optional(),
        segs: z.array(z.object({ utf8: z.string().optional() })).optional(),
      }),
    )
    .default([]),
});

const two = (n: number): string => String(n).padStart(2, "0");

/** As WebVTT writes times: `01:02:05.250`. */
function writeTime(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const clock = [seconds / 3600, (seconds / 60) % 60, seconds % 60];
  return `${clock.map((part) => two(Math.floor(part))).join(":")}.${String(Math.floor(ms % 1_000)).padStart(3, "0")}`;
}

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/**
 * Converts captions in YouTube's `json3` format to WebVTT, which ingest reads as a transcript with
 * times. null if nothing is said.
 */
export function writeVtt(json3: string): string | null {
  let parsed;
  try {
    parsed = captions.parse(JSON.parse(json3));
  } catch (cause) {
    throw new CarrelError("egress.unexpected-response", { host: "www.youtube.com" }, { cause });
  }
  const cues = parsed.events.flatMap(({ tStartMs = 0, dDurationMs = 0, segs = [] }) => {
    const text = segs
      .map(({ utf8 = "" }) => utf8)
      .join("")
      .replace(/\s+/g, " ")
      .trim();
    const start = Math.max(0, tStartMs);
    const end = start + Math.max(0, dDurationMs);
    return text === "" ? [] : [`${writeTime(start)} --> ${writeTime(end)}\n${escape(text)}\n`];
  });
  return cues.length === 0 ? null : `WEBVTT\n\n${cues.join("\n")}`;
}
