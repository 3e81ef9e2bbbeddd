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
