/** A segment of speech and its position in the recording, in seconds. */
export interface TranscriptSegment {
  start: number;
  end: number;
  text: string;
}

/** The transcribed speech. `segments` is empty if the vendor returns none. */
export interface Transcript {
  text: string;
  segments: TranscriptSegment[];
  /** Length of the recording, if the vendor reports it. */
  seconds?: number;
  /** Counts from vendors that charge by tokens. */
  tokens?: { inputTokens: number; outputTokens: number };
}

export interface Recording {
  bytes: Uint8Array;
  /** Vendors recognise the format by the extension. */
  filename: string;
  mime: string;
}

/** Speech to text; `transcribe` only throws ProviderError. */
export interface TranscriptionModel {
  readonly provider: string;
  readonly model: string;
  /** The vendor rejects larger recordings. */
  readonly maxBytes: number;
  /** The model runs in this process, one recording at a time. */
  readonly runsHere?: true;
  transcribe(recording: Recording, signal: AbortSignal): Promise<Transcript>;
}

export interface SpeechCall {
  text: string;
  signal: AbortSignal;
}

/** Text to speech. */
export interface SpeechModel {
  readonly provider: string;
  readonly model: string;
  readonly voice: string;
  /** MIME type of the audio. */
  readonly mime: string;
  /** The vendor rejects longer texts. */
  readonly maxCharacters: number;
  /** The audio as it is generated; only throws ProviderError, before the first bytes or midway. */
  stream(call: SpeechCall): AsyncIterable<Uint8Array>;
}

/** Bit rate of compressed speech (64 kbit/s), for vendors that don't report a length. */
const bytesPerSecond = 8_000;

/** Returns the length of a recording as its vendor counts it, otherwise an estimate. */
export function measureRecording(
  { seconds, segments }: Transcript,
  bytes: number,
): { seconds: number; isEstimated: boolean } {
  const known = seconds ?? segments.at(-1)?.end ?? 0;
  return known > 0
    ? { seconds: known, isEstimated: false }
    : { seconds: bytes / bytesPerSecond, isEstimated: true };
}
