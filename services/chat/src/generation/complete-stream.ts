import type { SourceWire } from "@carrel/contracts";
import { StreamTakenError, type Streams } from "@carrel/messaging";
import { stripNullCharacters } from "../database/null-character.ts";
import {
  abortFrame,
  breakOffFrame,
  buildEndFrames,
  chunkFrame,
  stageFrame,
  type StoredAnswer,
} from "./frames.ts";
import { streamKey } from "./generation-output.ts";

interface Told {
  type?: string;
  textResponse?: string | null;
  close?: boolean;
  sources?: SourceWire[];
}

/** The text that readers of these parts have been shown. */
const textOf = (parts: readonly string[]): string =>
  parts
    .map((part) => {
      const { type, textResponse, close } = JSON.parse(part) as Told;
      return type === "textResponseChunk" && close !== true ? (textResponse ?? "") : "";
    })
    .join("");

/** What was chosen for the answer; null when its writer had not come to it. */
const sourcesOf = (parts: readonly string[]): SourceWire[] | null =>
  parts.reduce<SourceWire[] | null>(
    (known, part) =>
      part.startsWith('{"type":"generationSources"')
        ? ((JSON.parse(part) as Told).sources ?? null)
        : known,
    null,
  );

/** What was told beside the answer. */
const noticesOf = (parts: readonly string[]): string[] =>
  parts.flatMap((part) => {
    const { type, textResponse } = JSON.parse(part) as Told;
    return type === "statusResponse" && typeof textResponse === "string"
      ? [stripNullCharacters(textResponse)]
      : [];
  });

/** What tells one closing frame from another: the last chunk is a chunk that closes. */
const kindOf = (part: string): string => {
  const { type, close } = JSON.parse(part) as Told;
  return type === "textResponseChunk" ? (close === true ? "closing" : "text") : (type ?? "action");
};

/**
 * The text that readers of an answer may have been shown, what was told beside it, and its sources,
 * when the one who wrote it is gone; '' and null when there is no stream.
 * A harmless part is put behind it, so that a writer who was only slow finds its place taken and
 * shows nothing more.
 */
export async function recoverAnswer(
  streams: Streams,
  generationId: string,
): Promise<{ text: string; notices: string[]; sources: SourceWire[] | null }> {
  for (;;) {
    const stored = await streams.load(streamKey(generationId));
    if (stored === null) return { text: "", notices: [], sources: null };
    try {
      if (!stored.hasEnded) await stored.writer.write(JSON.stringify(stageFrame("writing")));
      return {
        text: textOf(stored.parts),
        notices: noticesOf(stored.parts),
        sources: sourcesOf(stored.parts),
      };
    } catch (error) {
      if (!(error instanceof StreamTakenError)) throw error;
    }
  }
}

/**
 * Brings the stream of an ended answer to its end, however far it came: the text that it lacks, the
 * closing frames that
 * it lacks, the end. May be done again, also by several at once. Where the stream cannot be
 * completed because it holds
 * something else or has a gap, only its end is written, or it is dropped: readers then go to
 * PostgreSQL.
 */
export async function completeStream(streams: Streams, stored: StoredAnswer): Promise<void> {
  const key = streamKey(stored.generationId);
  const stream = await streams.load(key);
  if (stream === null || stream.hasEnded) return;
  const shown = textOf(stream.parts);
  if (!stream.isWhole || (!stored.refused && !stored.answer.startsWith(shown)))
    return streams.drop(key);
  const present = new Set(stream.parts.map(kindOf));
  const rest = stored.refused ? "" : stored.answer.slice(shown.length);
  const missing = [
    ...(rest === "" ? [] : [chunkFrame(stored.generationId, rest)]),
    ...buildEndFrames(stored),
  ].map((frame) => JSON.stringify(frame));
  try {
    for (const frame of missing)
      if (kindOf(frame) === "text" || !present.has(kindOf(frame))) await stream.writer.write(frame);
    await stream.writer.end();
  } catch (error) {
    // Another one completes it.
    if (!(error instanceof StreamTakenError)) throw error;
  }
}

/**
 * The end of the stream of an answer whose conversation is deleted; false when somebody writes
 * there and it has to be tried again.
 */
export async function endDeletedStream(
  streams: Streams,
  generationId: string,
  message: string,
): Promise<boolean> {
  const stream = await streams.load(streamKey(generationId));
  // Readers of a lost stream ask PostgreSQL, and hear that the answer is gone.
  if (stream === null || stream.hasEnded) return true;
  try {
    await stream.writer.write(
      JSON.stringify(
        textOf(stream.parts) === ""
          ? abortFrame(generationId, message)
          : breakOffFrame(generationId, message),
      ),
    );
    await stream.writer.end();
    return true;
  } catch (error) {
    if (!(error instanceof StreamTakenError)) throw error;
    return false;
  }
}
