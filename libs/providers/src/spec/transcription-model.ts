/** A piece of what was said, with its place in the recording in seconds. */
export interface TranscriptSegment {
  start: number;
  end: number;
  text: string;
}

/** What was said. `segments` are empty where the vendor gives none. */
export interface Transcript {
  text: string;
  segments: TranscriptSegment[];
}

/** Speech to text; `transcribe` throws ProviderError only. */
export interface TranscriptionModel {
  readonly provider: string;
  readonly model: string;
  /** Larger recordings are refused by the vendor. */
  readonly maxBytes: number;
  transcribe(
    recording: { bytes: Uint8Array; filename: string; mime: string },
    signal: AbortSignal,
  ): Promise<Transcript>;
}
